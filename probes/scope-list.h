/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What can be scoped in a binary.
 */
#ifndef ABSTAT_SCOPE_LIST_H
#define ABSTAT_SCOPE_LIST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum scope_listed_kind { SCOPE_LISTED_FUNCTION, SCOPE_LISTED_MARKER, SCOPE_LISTED_REGION };

struct scope_listed {
	char *name;   /* as --scope takes it; of a marker, usdt:PROVIDER:NAME */
	char *linked; /* of a function, as linked */
	enum scope_listed_kind kind;
	uint64_t address, size;
	bool guarded; /* of a marker: it is behind a semaphore */
	char *reason; /* why it cannot be scoped; NULL: it can */
};

struct scope_list {
	struct scope_listed *v; /* functions by name, then markers, then marked regions */
	size_t n;
	bool stripped;    /* only what the file exports is known */
	char *debug_file; /* the file that the other names were read from, or would be; or NULL */
};

/* Reads the names of PATH that WANTED says are wanted. 0, or -errno with a message. */
typedef bool scope_wanted_fn(const char *name, void *context);
int scope_list_read(struct scope_list *list, const char *path, scope_wanted_fn *wanted,
		    void *context, char *err, size_t err_size);
void scope_list_release(struct scope_list *list);

#endif
