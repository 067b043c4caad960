/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Code that is in no function. */
#include "elf-diff-outside.h"

#include "code-compare.h"
#include "elf-same.h"

/* Goes over what is between the symbols of a section. */
struct walk {
	const struct elf_file *file;
	uint64_t at, end;
	uint32_t symbol;
};

struct part {
	uint64_t start, size;
};

static void begin(struct walk *w, const struct elf_file *f, const struct elf_section *section)
{
	*w = (struct walk){.file = f};
	if (!section)
		return;
	uint32_t i = elf_symbol_before(f, section->address);

	w->at = section->address;
	w->end = section->address + section->size;
	w->symbol = i == ELF_NONE ? 0 : i;
}

/* Without the padding before and after it. Sections of a damaged file may overlap. */
static void trim(const struct elf_file *f, struct part *part)
{
	uint64_t available = 0, first = 0, end = 0;
	const uint8_t *p = elf_bytes_at(f, part->start, &available);
	uint64_t size = available < part->size ? available : part->size;
	struct code_insn insn;

	for (uint64_t at = 0; p && at < size; at += insn.length) {
		code_decode(f->code, p + at, size - at, part->start + at, &insn);
		if (code_is_filler(&insn))
			continue;
		if (!end)
			first = at;
		end = at + insn.length;
	}
	part->start += first;
	part->size = end - first;
}

/* The next part that is not all padding; false: there is none. */
static bool next_part(struct walk *w, struct part *part)
{
	const struct elf_file *f = w->file;

	while (w->at < w->end) {
		while (w->symbol < f->n_addressed &&
		       f->symbols[w->symbol].start + f->symbols[w->symbol].size <= w->at)
			w->symbol++;
		const struct elf_symbol *s =
		    w->symbol < f->n_addressed && f->symbols[w->symbol].start < w->end
			? &f->symbols[w->symbol]
			: NULL;
		uint64_t next = !s ? w->end : s->start > w->at ? s->start : w->at;

		*part = (struct part){w->at, next - w->at};
		w->at = s ? s->start + s->size : w->end;
		trim(f, part);
		if (part->size)
			return true;
	}
	return false;
}

static bool is_same_part(const struct elf_pair *p, const struct part *a, const struct part *b)
{
	enum elf_links which =
	    p->old->code == ELF_CODE_NONE ? ELF_LINKS_MEANING : ELF_LINKS_BARE_CODE;

	return a->size == b->size && code_section_same(p, a->start, b->start, a->size) &&
	       (p->old->type != ET_REL || elf_same_links(p, a->start, b->start, a->size, which));
}

bool elf_outside_same(const struct elf_pair *p, const struct elf_section *old,
		      const struct elf_section *new, uint64_t bytes[2])
{
	struct walk a, b;
	bool same = true;

	bytes[0] = bytes[1] = 0;
	begin(&a, p->old, old);
	begin(&b, p->new, new);
	for (;;) {
		struct part x = {0}, y = {0};
		bool more = next_part(&a, &x), more_new = next_part(&b, &y);

		if (!more && !more_new)
			return same;
		bytes[0] += x.size;
		bytes[1] += y.size;
		same = same && more == more_new && is_same_part(p, &x, &y);
	}
}
