/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How far a table reaches that code looks a value up in.
 *
 * Compilers make a table of values out of a switch, give it no name, and leave out the subtraction
 * of the first case: what the code then names is a place before the table, in something else. What
 * the table has is known by the comparison that guards it.
 */
#ifndef ABSTAT_CODE_TABLE_H
#define ABSTAT_CODE_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "elf-file.h"

struct code_table {
	unsigned scale; /* bytes of an entry */
	uint64_t first; /* the first entry that is read, from 0 */
	uint64_t n;     /* entries from that one on; 0: nothing guards it */
};

/*
 * Looks at the function that begins at START in F and is SIZE bytes long for how the address is
 * used that the instruction at SITE names. False: not as a table with an index.
 */
bool code_table_find(const struct elf_file *f, uint64_t start, uint64_t size, uint64_t site,
		     struct code_table *t);

#endif
