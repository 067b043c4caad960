/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A function taken apart into its instructions, without the padding between them. */
#include "code-compare.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "code-track.h"
#include "sorted-numbers.h"

/* What the compiler aligns to, at least, where it pads. */
enum { LEAST_ALIGNMENT = 8 };

static int decode_all(struct code_body *b, const uint8_t *p)
{
	size_t capacity = 0;

	for (uint64_t at = 0; at < b->size;) {
		if (b->n == capacity) {
			capacity = capacity ? 2 * capacity : b->size / 4 + 8;
			struct code_item *grown = reallocarray(b->items, capacity, sizeof(*grown));

			if (!grown)
				return -ENOMEM;
			b->items = grown;
		}
		struct code_item *item = &b->items[b->n++];

		/* The instruction is set by code_decode(): clearing all of it takes a while. */
		item->offset = at;
		item->page_used = false;
		code_decode(b->file->code, p + at, b->size - at, b->start + at, &item->insn);
		at += item->insn.length;
	}
	return 0;
}

/* The offsets within the function that branches lead to; with BACK, only those that lead back. */
static size_t branch_targets(const struct code_body *b, uint64_t *targets, bool back)
{
	size_t n = 0;

	for (size_t i = 0; i < b->n; i++) {
		const struct code_insn *insn = &b->items[i].insn;

		for (size_t k = 0; k < insn->n_refs; k++) {
			uint64_t to = insn->refs[k].value - b->start;

			if (insn->refs[k].kind == REF_BRANCH && !insn->call && to < b->size &&
			    (!back || to <= b->items[i].offset))
				targets[n++] = to;
		}
	}
	return numbers_sort_unique(targets, n);
}

/* Nops up to an aligned place that is branched to, or that is not reached from before it, or up to
 * the end. */
static void drop_padding(struct code_body *b, const uint64_t *targets, size_t n_targets)
{
	size_t kept = 0;

	while (b->n && code_is_filler(&b->items[b->n - 1].insn))
		b->n--;
	for (size_t i = 0; i < b->n;) {
		size_t end = i;

		while (end < b->n && b->items[end].insn.nop)
			end++;
		uint64_t next = end < b->n ? b->items[end].offset : b->size;
		bool aligned = (b->start + next) % LEAST_ALIGNMENT == 0;
		bool entered = end == b->n || (i && b->items[i - 1].insn.leaves) ||
			       numbers_have(targets, n_targets, next);

		if (end > i && entered && (aligned || end == b->n)) {
			i = end;
			continue;
		}
		/* Nops that are not padding, and the instruction after them. */
		while (i < end)
			b->items[kept++] = b->items[i++];
		if (i < b->n)
			b->items[kept++] = b->items[i++];
	}
	b->n = kept;
}

size_t code_body_index(const struct code_body *b, uint64_t offset)
{
	size_t low = 0, high = b->n;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (b->items[middle].offset < offset)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

int code_body_init(struct code_body *b, const struct elf_file *file, uint64_t start, uint64_t size,
		   bool padded)
{
	uint64_t available = 0, *targets;
	const uint8_t *p = elf_bytes_at(file, start, &available);

	*b = (struct code_body){.file = file, .start = start, .size = size};
	if (!p || available < size)
		return -ENODATA;
	if (size > CODE_BODY_MAX)
		return -EFBIG;
	int r = decode_all(b, p);

	if (r)
		return r;
	targets = calloc(2 * b->n + 1, sizeof(*targets));
	b->loops = calloc(2 * b->n + 1, sizeof(*b->loops));
	if (targets && b->loops) {
		b->n_loops = branch_targets(b, b->loops, true);
		if (!padded)
			drop_padding(b, targets, branch_targets(b, targets, false));
	} else {
		r = -ENOMEM;
	}
	free(targets);
	return r || !code_is_tracked(file->code) ? r : code_follow(b);
}

void code_body_release(struct code_body *b)
{
	free(b->items);
	free(b->loops);
	*b = (struct code_body){0};
}
