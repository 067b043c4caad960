/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Symbols that grew, shrank, came or went. Their sizes add up: each byte belongs to one symbol, or
 * to none. */
#include "elf-diff.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static uint64_t change_of(const struct elf_symbol_change *c)
{
	return c->size[0] > c->size[1] ? c->size[0] - c->size[1] : c->size[1] - c->size[0];
}

static int compare_changes(const void *a, const void *b)
{
	const struct elf_symbol_change *x = a, *y = b;
	uint64_t p = change_of(x), q = change_of(y);

	if (p != q)
		return p > q ? -1 : 1;
	return strcmp(x->name, y->name);
}

/* One of them may be NULL. */
static void add_change(struct elf_report *r, const struct elf_symbol *old,
		       const struct elf_symbol *new)
{
	const struct elf_symbol *s = old ? old : new;
	const struct elf_file *f = r->file[old ? ELF_OLD : ELF_NEW];
	struct elf_symbol_totals *t = &r->symbol_totals;
	uint64_t a = old ? old->size : 0, b = new ? new->size : 0;

	if (old && new &&a == b)
		return;
	r->symbols[r->n_symbols++] = (struct elf_symbol_change){
	    .name = s->name,
	    .section = f->sections[s->section].name,
	    .code = s->code,
	    .has = {old, new},
	    .size = {a, b},
	};
	if (!old) {
		t->added++;
		t->added_bytes += b;
	} else if (!new) {
		t->removed++;
		t->removed_bytes += a;
	} else if (b > a) {
		t->grown++;
		t->grown_bytes += b - a;
	} else {
		t->shrunk++;
		t->shrunk_bytes += a - b;
	}
}

int elf_report_symbols(struct elf_report *r, const struct elf_pair *p)
{
	struct elf_symbol_totals *t = &r->symbol_totals;

	r->symbols = calloc(p->old->n_symbols + p->new->n_symbols + 1, sizeof(*r->symbols));
	if (!r->symbols)
		return -ENOMEM;
	for (size_t i = 0; i < p->old->n_symbols; i++) {
		uint32_t partner = p->to_new[i];

		t->bytes[ELF_OLD] += p->old->symbols[i].size;
		add_change(r, &p->old->symbols[i],
			   partner == ELF_NONE ? NULL : &p->new->symbols[partner]);
	}
	for (size_t i = 0; i < p->new->n_symbols; i++) {
		t->bytes[ELF_NEW] += p->new->symbols[i].size;
		if (p->to_old[i] == ELF_NONE)
			add_change(r, NULL, &p->new->symbols[i]);
	}
	for (size_t side = 0; side < ELF_SIDES; side++) {
		const struct elf_sizes *s = &r->sizes[side];

		t->outside[side] = s->text + s->data + s->bss - t->bytes[side];
	}
	if (r->n_symbols)
		qsort(r->symbols, r->n_symbols, sizeof(*r->symbols), compare_changes);
	return 0;
}
