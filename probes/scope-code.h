/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a probe must know of a function's instructions: where they begin, what the first one is,
 * where the function is left.
 */
#ifndef ABSTAT_SCOPE_CODE_H
#define ABSTAT_SCOPE_CODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "elf-file.h"
#include "scope-target.h"

struct scope_extent {
	uint64_t start, size;
};

struct scope_code {
	uint64_t *returns; /* addresses of the instructions that return */
	size_t n_returns;
	uint64_t jumps_to; /* a jump that leaves it, 0: there is none */
	bool jumps_by_pointer;
	bool loops; /* back to its first instruction */
};

/*
 * Takes apart a function: PARTS are its body, and what the compiler has moved elsewhere. 0,
 * -ENOMEM, -ENODATA: the file has no such bytes.
 */
int scope_code_init(struct scope_code *code, const struct elf_file *f,
		    const struct scope_extent *parts, size_t n_parts);
void scope_code_release(struct scope_code *code);

/*
 * Whether an instruction of FUNCTION begins OFFSET bytes after its start; if not, the nearest ones
 * are at *BEFORE and *AFTER.
 */
bool scope_code_is_boundary(const struct elf_file *f, const struct scope_extent *function,
			    uint64_t offset, uint64_t *before, uint64_t *after);

/* The instruction OFFSET bytes after the start as text, "mov" and its operands; "" if unknown. */
void scope_code_text(const struct elf_file *f, uint64_t address, char *text, size_t text_size);

/* Whether anything in FUNCTION jumps or branches to a place in TO. */
bool scope_code_leads_to(const struct elf_file *f, const struct scope_extent *function,
			 const struct scope_extent *to);

/* The class of the instruction at ADDRESS. */
enum scope_class scope_code_class(const struct elf_file *f, uint64_t address);

/*
 * How many instructions a probe at the start of FUNCTION must be moved by, because the kernel
 * cannot execute them under a probe: *ADDRESS is where to. -EINVAL: the next one is branched to.
 */
int scope_code_skip(const struct elf_file *f, const struct scope_extent *function,
		    unsigned *skipped, uint64_t *address);

#endif
