/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Whether two functions have the same instructions, wherever they are.
 *
 * Not a difference: other addresses of the same things, how far a jump goes as long as it leads to
 * the same instruction, and nops before an aligned target of a branch. Everything else is one.
 */
#ifndef ABSTAT_CODE_COMPARE_H
#define ABSTAT_CODE_COMPARE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "code-insn.h"
#include "elf-pair.h"

/* A function's instructions, with the padding taken out. */
struct code_item {
	uint64_t offset; /* from the function's beginning */
	bool page_used;  /* what uses the page that is set here is known */
	struct code_insn insn;
};

struct code_loops {
	uint64_t *v;
	size_t n, capacity;
};

struct code_body {
	const struct elf_file *file;
	uint64_t start, size;
	struct code_item *items;
	size_t n;
	uint64_t *loops; /* offsets that are branched back to, ascending, each once */
	size_t n_loops;
};

/* A function longer than this is not held whole: if its bytes differ, it is taken as changed. */
#define CODE_BODY_MAX (1u << 20)

/* Takes apart the function SIZE bytes long at START; if PADDED, what pads within it is not taken
 * out. 0, -ENOMEM, -EFBIG, -ENODATA where the file has no such bytes. */
int code_body_init(struct code_body *b, const struct elf_file *file, uint64_t start, uint64_t size,
		   bool padded);
/* The first instruction at or after OFFSET. */
size_t code_body_index(const struct code_body *b, uint64_t offset);
void code_body_release(struct code_body *b);

/* True if the instructions of both are the same. */
bool code_body_same(const struct elf_pair *p, const struct code_body *old,
		    const struct code_body *new);

/* True if instruction number I of OLD is the same as number J of NEW. Branches within the function
 * are taken as the same as far as both are. */
bool code_item_same(const struct elf_pair *p, const struct code_body *old, size_t i,
		    const struct code_body *new, size_t j);

/*
 * The same for the N bytes at OLD and at NEW, without taking them apart first: true means that they
 * are the same, false that they may not be. Much faster. If LOOPS is not NULL, the offsets that are
 * branched back to are appended to it, as often as that is done.
 */
bool code_bytes_same(const struct elf_pair *p, uint64_t old, uint64_t new, uint64_t n,
		     struct code_loops *loops);

/* The same of N bytes of a section, of which it is not known where functions begin. */
bool code_section_same(const struct elf_pair *p, uint64_t old, uint64_t new, uint64_t n);

#endif
