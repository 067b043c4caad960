/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One function of two ELF files side by side. */
#include "elf-listing.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "code-compare.h"
#include "demangle.h"
#include "elf-same.h"
#include "insn-class.h"

/* What is aligned by the longest common subsequence; what remains of longer functions is shown as
 * replaced. */
#define MOST_CELLS ((size_t)16 << 20)

struct alignment {
	const struct elf_pair *p;
	struct code_body body[2];
	bool has[2];
	size_t (*path)[2]; /* index of each side, or SIZE_MAX, a row */
	size_t n;
	size_t *partner; /* of each old instruction the new one beside it, or SIZE_MAX */
};

static void add_step(struct alignment *a, size_t old, size_t new)
{
	a->path[a->n][0] = old;
	a->path[a->n++][1] = new;
}

static bool is_like(const struct alignment *a, size_t i, size_t j)
{
	return code_item_same(a->p, &a->body[0], i, &a->body[1], j);
}

/* Those from I to N of one side that the other one, from J to M, has not. */
static void replace(struct alignment *a, size_t i, size_t n, size_t j, size_t m)
{
	while (i < n && j < m)
		add_step(a, i++, j++);
	while (i < n)
		add_step(a, i++, SIZE_MAX);
	while (j < m)
		add_step(a, SIZE_MAX, j++);
}

/* Between I, N and J, M by the longest common subsequence. */
static int align_middle(struct alignment *a, size_t i, size_t n, size_t j, size_t m)
{
	size_t rows = n - i, columns = m - j, width = columns + 1;
	uint32_t *length;

	if ((rows + 1) > MOST_CELLS / width) {
		replace(a, i, n, j, m);
		return 0;
	}
	length = calloc((rows + 1) * width, sizeof(*length));
	if (!length)
		return -ENOMEM;
	for (size_t x = rows; x-- > 0;)
		for (size_t y = columns; y-- > 0;) {
			uint32_t right = length[x * width + y + 1],
				 down = length[(x + 1) * width + y];

			length[x * width + y] = is_like(a, i + x, j + y)
						    ? length[(x + 1) * width + y + 1] + 1
						: right > down ? right
							       : down;
		}
	size_t x = 0, y = 0;

	while (x < rows || y < columns) {
		size_t from = x, to = y;

		/* What only one side has, up to the next that both have. */
		while ((x < rows || y < columns) &&
		       !(x < rows && y < columns && is_like(a, i + x, j + y))) {
			if (x < rows && (y == columns ||
					 length[(x + 1) * width + y] >= length[x * width + y + 1]))
				x++;
			else
				y++;
		}
		replace(a, i + from, i + x, j + to, j + y);
		if (x < rows && y < columns)
			add_step(a, i + x++, j + y++);
	}
	free(length);
	return 0;
}

static int align(struct alignment *a)
{
	size_t n = a->body[0].n, m = a->body[1].n, i = 0, tail = 0;

	a->path = calloc(n + m + 1, sizeof(*a->path));
	a->partner = calloc(n + 1, sizeof(*a->partner));
	if (!a->path || !a->partner)
		return -ENOMEM;
	for (; i < n && i < m && is_like(a, i, i); i++)
		add_step(a, i, i);
	while (tail < n - i && tail < m - i && is_like(a, n - 1 - tail, m - 1 - tail))
		tail++;
	int r = align_middle(a, i, n - tail, i, m - tail);

	for (size_t k = 0; !r && k < tail; k++)
		add_step(a, n - tail + k, m - tail + k);
	return r;
}

/* What names end with where their middle is left out. */
enum { NAME_TAIL = 20 };

/* "<name+0x10>", the name as in the source, without parameters. */
static void put_name(char *text, size_t size, const char *name, const char *suffix)
{
	char *readable = demangle(name, strlen(name));
	size_t length = readable ? demangled_base(readable) : strlen(name);
	size_t most = size - strlen("<>") - strlen(suffix) - 1;
	const char *shown = readable ? readable : name;

	if (length > most)
		snprintf(text, size, "<%.*s...%.*s%s>", (int)(most - NAME_TAIL - 3), shown,
			 NAME_TAIL, shown + length - NAME_TAIL, suffix);
	else
		snprintf(text, size, "<%.*s%s>", (int)length, shown, suffix);
	free(readable);
}

/* What the dynamic linker fills the slot at ADDRESS in with, by name; NULL: not known. */
static const char *slot_name(const struct elf_file *f, uint64_t address)
{
	const struct elf_relocation *r = elf_relocation_in(f, address - address % (f->bits / 8), 1);
	const char *name = r && r->target ? r->target->name : NULL;

	return name && *name ? name : NULL;
}

/* What an instruction refers to outside of its function: " <name+0x10>", or " <name@plt>" for the
 * stub of an imported function. */
static void name_target(const struct elf_file *f, uint64_t address, char *text, size_t size)
{
	uint32_t i = elf_symbol_at(f, address), s = elf_section_at(f, address);
	const char *name = NULL;
	char beyond[24] = "";
	uint64_t slot, from;

	*text = '\0';
	if (i == ELF_NONE && s == ELF_NONE)
		return;
	if (i == ELF_NONE && elf_stub_slot(f, address, &slot)) {
		name = slot_name(f, slot);
		if (name) {
			put_name(text, size, name, "@plt");
			return;
		}
	}
	if (i == ELF_NONE && !strncmp(f->sections[s].name, ".got", 4)) {
		name = slot_name(f, address);
		if (name) {
			put_name(text, size, name, "@got");
			return;
		}
	}
	name = i != ELF_NONE ? f->symbols[i].name : f->sections[s].name;
	from = i != ELF_NONE ? f->symbols[i].start : f->sections[s].address;
	if (address != from)
		snprintf(beyond, sizeof(beyond), "+0x%" PRIx64, address - from);
	put_name(text, size, name, beyond);
}

static void name_relocation(const struct elf_file *f, uint64_t address, unsigned length, char *text,
			    size_t size)
{
	const struct elf_relocation *r =
	    f->type == ET_REL ? elf_relocation_in(f, address, length) : NULL;

	if (!r || !r->target)
		return;
	if (r->target->defined && !*r->target->name)
		name_target(f, r->target->address + (uint64_t)r->addend, text, size);
	else
		put_name(text, size, r->target->name, "");
}

static void set_text(const struct alignment *a, int side, size_t index, struct elf_listing_row *row)
{
	const struct code_body *b = &a->body[side];
	const struct code_item *item = &b->items[index];
	char target[ELF_LISTING_TEXT / 2] = "", text[ELF_LISTING_TEXT / 2];
	uint64_t available = 0;
	const uint8_t *p = elf_bytes_at(b->file, b->start, &available) + item->offset;

	row->has[side] = true;
	row->offset[side] = item->offset;
	/* As if the function began at 0, so that branches within it read the same wherever it is.
	 */
	if (!insn_text(a->p->reader, p, item->insn.length, item->offset, text, sizeof(text)))
		snprintf(text, sizeof(text), "(data) %02x", p[0]);
	for (size_t i = 0; i < item->insn.n_refs; i++) {
		const struct code_ref *r = &item->insn.refs[i];

		if ((r->kind == REF_BRANCH || r->kind == REF_ADDRESS) &&
		    r->value - b->start >= b->size)
			name_target(b->file, r->value, target, sizeof(target));
		if (r->kind == REF_BRANCH && *target)
			text[strcspn(text, " ")] = '\0';
	}
	name_relocation(b->file, b->start + item->offset, item->insn.length, target,
			sizeof(target));
	snprintf(row->text[side], sizeof(row->text[side]), "%s%s%s", text, *target ? " " : "",
		 target);
}

/* Branches within the function are the same if they lead to instructions that stand beside each
 * other. */
static bool leads_alike(const struct alignment *a, size_t i, size_t j)
{
	const struct code_insn *x = &a->body[0].items[i].insn, *y = &a->body[1].items[j].insn;

	for (size_t k = 0; k < x->n_refs; k++) {
		uint64_t to = x->refs[k].value - a->body[0].start,
			 tn = y->refs[k].value - a->body[1].start;
		size_t item = to < a->body[0].size ? code_body_index(&a->body[0], to) : SIZE_MAX;

		if (x->refs[k].kind == REF_BRANCH && item < a->body[0].n &&
		    a->partner[item] != code_body_index(&a->body[1], tn))
			return false;
	}
	return true;
}

static int fill(struct elf_listing *l, const struct alignment *a)
{
	l->rows = calloc(a->n + 1, sizeof(*l->rows));
	if (!l->rows)
		return -ENOMEM;
	for (size_t k = 0; k < a->n; k++)
		if (a->path[k][0] != SIZE_MAX)
			a->partner[a->path[k][0]] = a->path[k][1];
	for (size_t k = 0; k < a->n; k++) {
		struct elf_listing_row *row = &l->rows[l->n++];
		size_t i = a->path[k][0], j = a->path[k][1];

		if (i != SIZE_MAX)
			set_text(a, 0, i, row);
		if (j != SIZE_MAX)
			set_text(a, 1, j, row);
		row->same = row->has[0] && row->has[1] && is_like(a, i, j) && leads_alike(a, i, j);
	}
	return 0;
}

/* The function on both sides; where only one is called NAME, its partner. -ENOENT: there is none,
 * or one file has several. */
static int find_both(const struct elf_pair *p, const char *name, uint32_t found[2], char *err,
		     size_t err_size)
{
	const struct elf_file *files[2] = {p->old, p->new};
	char nearest[320];

	for (int side = 0; side < 2; side++) {
		uint32_t other;

		found[side] = elf_find_function(files[side], name, &other);
		if (other == ELF_NONE)
			continue;
		const struct elf_symbol *symbols = files[side]->symbols;
		char *one = demangle(symbols[found[side]].name, strlen(symbols[found[side]].name)),
		     *two = demangle(symbols[other].name, strlen(symbols[other].name));

		snprintf(err, err_size,
			 "%s has several functions called '%s': name one with its parameters, as "
			 "'%s' or '%s'",
			 files[side]->path, name, one ? one : symbols[found[side]].name,
			 two ? two : symbols[other].name);
		free(one);
		free(two);
		return -ENOENT;
	}
	if (found[0] == ELF_NONE && found[1] == ELF_NONE) {
		elf_suggest_function(p, name, nearest, sizeof(nearest));
		snprintf(err, err_size, "neither %s nor %s has a function called '%s'%s%s%s",
			 p->old->path, p->new->path, name,
			 p->old->has_symbols && p->new->has_symbols
			     ? ""
			     : ", as far as names are known: "
			       "where one is stripped, only those that the dynamic linker needs",
			 *nearest ? "; did you mean: " : "", nearest);
		return -ENOENT;
	}
	if (found[0] == ELF_NONE)
		found[0] = p->to_old[found[1]];
	else if (found[1] == ELF_NONE || p->to_new[found[0]] != ELF_NONE)
		found[1] = p->to_new[found[0]];
	return 0;
}

int elf_listing_make(struct elf_listing *l, const struct elf_pair *p, const char *name, char *err,
		     size_t err_size)
{
	const struct elf_file *files[2] = {p->old, p->new};
	struct alignment a = {.p = p};
	uint32_t found[2];
	int r = 0;

	*l = (struct elf_listing){.name = name};
	r = find_both(p, name, found, err, err_size);
	if (r)
		return r;
	l->name =
	    found[0] != ELF_NONE ? p->old->symbols[found[0]].name : p->new->symbols[found[1]].name;
	if (!p->reader || p->old->code != p->new->code) {
		snprintf(err, err_size, "%s: the instructions of this machine cannot be shown",
			 p->old->path);
		return -ENOTSUP;
	}
	for (int side = 0; side < 2; side++) {
		l->has[side] = found[side] != ELF_NONE;
		if (l->has[side] && files[side]->symbols[found[side]].size > CODE_BODY_MAX)
			r = -EFBIG;
	}
	for (int side = 0; side < 2 && !r; side++) {
		const struct elf_symbol *s =
		    l->has[side] ? &files[side]->symbols[found[side]] : NULL;

		if (s)
			r = code_body_init(&a.body[side], files[side], s->start, s->size, false);
	}
	if (!r)
		r = align(&a);
	if (!r)
		r = fill(l, &a);
	if (r == -EFBIG)
		snprintf(err, err_size, "'%s' is longer than 1 MiB, too long to be shown", name);
	else if (r)
		snprintf(err, err_size, "'%s' cannot be shown: %s", name, strerror(-r));
	free(a.path);
	free(a.partner);
	code_body_release(&a.body[0]);
	code_body_release(&a.body[1]);
	return r;
}

void elf_listing_release(struct elf_listing *l)
{
	free(l->rows);
	*l = (struct elf_listing){0};
}
