/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * USDT markers: what sys/sdt.h leaves in .note.stapsdt.
 */
#ifndef ABSTAT_SCOPE_MARKS_H
#define ABSTAT_SCOPE_MARKS_H

#include <stdint.h>

#include "elf-file.h"

struct scope_mark {
	const char *provider, *name;
	uint64_t address;   /* of the nop, as linked */
	uint64_t semaphore; /* the address of its reference counter, 0: it has none */
};

/* Not 0: that is enough. */
typedef int scope_mark_fn(const struct scope_mark *mark, void *context);

/*
 * Calls EACH for every marker of F; returns what EACH returned last, or 0, or -EBADMSG after those
 * that could be read.
 */
int scope_marks_each(const struct elf_file *f, scope_mark_fn *each, void *context);

#endif
