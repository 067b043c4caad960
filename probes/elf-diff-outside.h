/* SPDX-License-Identifier: GPL-2.0-or-later */
/* For the report of what differs: code that is in no function. */
#ifndef ABSTAT_ELF_DIFF_OUTSIDE_H
#define ABSTAT_ELF_DIFF_OUTSIDE_H

#include <stdbool.h>
#include <stdint.h>

#include "elf-pair.h"

/*
 * True if what the section OLD of the old file and NEW of the new one hold between their symbols is
 * known to be the same, in the same order, padding aside. One of them may be NULL: there is none.
 * BYTES become how long that is on both sides.
 */
bool elf_outside_same(const struct elf_pair *p, const struct elf_section *old,
		      const struct elf_section *new, uint64_t bytes[2]);

#endif
