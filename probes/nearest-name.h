/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The names that are most like one that is not known.
 */
#ifndef ABSTAT_NEAREST_NAME_H
#define ABSTAT_NEAREST_NAME_H

#include <stddef.h>

enum { NEAREST_NAMES = 3, NEAREST_LONGEST = 96 };

/* Begin with {.name = NAME, .len = its length}, at most NEAREST_LONGEST. NAME is borrowed. */
struct nearest_names {
	const char *name;
	size_t len;
	size_t n;
	struct {
		char name[NEAREST_LONGEST];
		unsigned distance;
	} best[NEAREST_NAMES];
};

/*
 * Keeps OFFERED if COMPARED, its name or a part of that, is like the name and among the most alike.
 */
void nearest_names_consider(struct nearest_names *nearest, const char *compared,
			    const char *offered);

/* "A, B, C", most alike first; "" if there are none. */
void nearest_names_text(const struct nearest_names *nearest, char *text, size_t size);

#endif
