/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What became of a function that has no symbol, by the debugging information.
 */
#ifndef ABSTAT_DWARF_INLINE_H
#define ABSTAT_DWARF_INLINE_H

#include <stdbool.h>
#include <stddef.h>

#include "elf-file.h"

struct dwarf_inline {
	bool known;        /* there is a function of that name in the source */
	bool has_code;     /* some of it is there */
	bool inlined;      /* its calls were replaced by its body */
	char callers[256]; /* "a, b": functions that it became a part of; "" if none is known */
};

/*
 * Looks for NAME, as in C, as linked, or the last part of a name of C++. 0, -ENOMEM, or -ENOENT
 * where F has no debugging information.
 */
int dwarf_inline_find(struct dwarf_inline *out, const struct elf_file *f, const char *name);

#endif
