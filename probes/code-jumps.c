/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tables of jumps within a function, as compilers make them for a switch. */
#include "code-operand.h"

/* MOST_BEFORE: cases that a table lacks at its beginning. */
enum { MOST_ENTRIES = 4096, MOST_BEFORE = 256, LEAST_ENTRIES = 2 };

/* What an entry of a table counts from. */
enum origin { FROM_ZERO, FROM_TABLE, FROM_OFFSET_TABLE };

struct jumps {
	const struct elf_file *file;
	const uint8_t *entries;
	uint64_t table, n, start, size;
};

static uint64_t target(const struct jumps *j, uint64_t i, unsigned size, enum origin origin)
{
	uint64_t value = elf_number(j->file, j->entries + i * size, size);

	if (origin == FROM_ZERO)
		return value;
	value = (uint64_t)(int64_t)(int32_t)value;
	return origin == FROM_TABLE ? j->table + value
				    : (j->file->offset_table + value) & UINT32_MAX;
}

static bool is_inside(const struct jumps *j, uint64_t address)
{
	/* What is never reached leads to the end. */
	return address - j->start <= j->size;
}

static bool same(const struct comparison *c, const struct jumps *a, const struct jumps *b,
		 unsigned size, enum origin origin)
{
	uint64_t most = (a->n < b->n ? a->n : b->n) / size, found = 0;

	for (uint64_t i = 0; i < most && i < MOST_ENTRIES; i++) {
		uint64_t from = target(a, i, size, origin), to = target(b, i, size, origin);
		bool inside = is_inside(a, from);

		if (inside != is_inside(b, to))
			return false;
		if (!inside && !found && i >= MOST_BEFORE)
			return false;
		if (!inside && found && !elf_same_address(c->p, from, to, 0))
			break;
		if (inside && !(from - a->start == a->size && to - b->start == b->size) &&
		    !code_same_target(c, from, to, 0))
			return false;
		found += inside;
	}
	return found >= LEAST_ENTRIES;
}

bool code_same_jumps(const struct comparison *c, uint64_t old, uint64_t new)
{
	const struct elf_file *f = c->p->old, *g = c->p->new;
	struct jumps a = {.file = f, .table = old, .start = c->old_start},
		     b = {.file = g, .table = new, .start = c->new_start};
	uint64_t n = 0, m = 0;

	a.entries = elf_bytes_at(f, old, &n);
	b.entries = elf_bytes_at(g, new, &m);
	if (!a.entries || !b.entries || (f->code == ELF_CODE_ARM64 && (old % 4 || new % 4)))
		return false;
	a.n = elf_extent(f, old);
	b.n = elf_extent(g, new);
	a.size = c->old ? c->old->size : c->size;
	b.size = c->new ? c->new->size : c->size;
	if (f->bits == 64)
		return same(c, &a, &b, 4, FROM_TABLE) || same(c, &a, &b, 8, FROM_ZERO);
	return same(c, &a, &b, 4, FROM_ZERO) ||
	       (f->offset_table && g->offset_table && same(c, &a, &b, 4, FROM_OFFSET_TABLE));
}
