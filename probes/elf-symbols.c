/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Symbols: every byte belongs to one of them at most.
 *
 * Several names of one place are one symbol; a symbol within another one is a part of that. Labels
 * without a size, as assembly has them, reach to the next symbol where they are in code.
 */
#include "elf-file.h"

#include <errno.h>
#include <gelf.h>
#include <stdlib.h>
#include <string.h>

#include "elf-symbol-table.h"

/* One row of the table in the file. */
struct row {
	const char *name, *file;
	uint64_t start, size;
	uint32_t section;
	bool code, tls, global;
	bool outside; /* of its section */
};

/* Where thread-local storage begins: values of its symbols count from there. */
static uint64_t tls_base(const struct elf_file *f)
{
	uint64_t base = UINT64_MAX;

	if (f->type == ET_REL)
		return UINT64_MAX;
	for (size_t i = 1; i < f->n_sections; i++)
		if ((f->sections[i].flags & SHF_TLS) && f->sections[i].address < base)
			base = f->sections[i].address;
	return base;
}

static bool is_wanted_name(const char *name)
{
	/* $x and $d mark instructions and data on ARM; .L labels are the compiler's own. */
	return name && *name && !(name[0] == '$' && name[1] && (!name[2] || name[2] == '.')) &&
	       strncmp(name, ".L", 2) != 0;
}

static bool take_row(const struct elf_file *f, const struct elf_symbol_row *read, uint64_t tls,
		     struct row *row)
{
	const struct elf_section *s;
	const GElf_Sym *sym = &read->sym;
	uint32_t section = read->section;
	int type = GELF_ST_TYPE(sym->st_info);

	if (section == SHN_UNDEF || section >= f->n_sections || type == STT_SECTION ||
	    type == STT_FILE)
		return false;
	s = &f->sections[section];
	if (!(s->flags & SHF_ALLOC))
		return false;
	*row = (struct row){
	    .name = read->name,
	    .start = sym->st_value,
	    .size = sym->st_size,
	    .section = section,
	    .code = (s->flags & SHF_EXECINSTR) != 0,
	    .tls = type == STT_TLS || ((s->flags & SHF_TLS) && s->type == SHT_NOBITS),
	    .global = GELF_ST_BIND(sym->st_info) != STB_LOCAL,
	};
	if (f->type == ET_REL)
		row->start += s->address;
	else if (type == STT_TLS && tls != UINT64_MAX)
		row->start += tls;
	if (!is_wanted_name(row->name))
		return false;
	/* Labels may be after the end of their section. */
	row->outside = row->start - s->address > s->size;
	if (row->outside)
		return !row->size;
	/* A symbol does not reach out of its section. */
	if (row->size > s->size - (row->start - s->address))
		row->size = s->size - (row->start - s->address);
	return true;
}

/* Covers something, or is to be stretched so that it does. */
static bool is_symbol(const struct elf_file *f, const struct row *row)
{
	const struct elf_section *s = &f->sections[row->section];

	return !row->outside && (row->size || (row->code && row->start - s->address < s->size));
}

static int read_rows(struct elf_file *f, const struct elf_symbol_table *t, struct row *rows,
		     size_t *n)
{
	uint64_t tls = tls_base(f);
	const char *file = NULL;

	for (size_t i = 0; i < t->n; i++) {
		struct elf_symbol_row read;

		if (!elf_symbol_table_row(t, i, &read))
			return -EINVAL;
		if (GELF_ST_TYPE(read.sym.st_info) == STT_FILE)
			file = read.name;
		if (!take_row(f, &read, tls, &rows[*n]))
			continue;
		if (!rows[*n].size && !rows[*n].tls)
			f->labels[f->n_labels++] =
			    (struct elf_label){rows[*n].start, rows[*n].name};
		if (!is_symbol(f, &rows[*n]))
			continue;
		rows[*n].file = rows[*n].global ? NULL : file;
		(*n)++;
	}
	return 0;
}

static int compare_rows(const void *a, const void *b)
{
	const struct row *x = a, *y = b;

	if (x->tls != y->tls)
		return x->tls - y->tls;
	if (x->start != y->start)
		return x->start < y->start ? -1 : 1;
	if (x->section != y->section)
		return x->section < y->section ? -1 : 1;
	if (x->size != y->size)
		return x->size > y->size ? -1 : 1;
	if (x->global != y->global)
		return y->global - x->global;
	return strcmp(x->name, y->name);
}

static int compare_labels(const void *a, const void *b)
{
	const struct elf_label *x = a, *y = b;

	if (x->address != y->address)
		return x->address < y->address ? -1 : 1;
	return strcmp(x->name, y->name);
}

static uint64_t end_of(const struct row *r)
{
	return r->start + r->size;
}

/* A label without a size reaches to the next symbol, or to the end of its section. */
static void stretch(const struct elf_file *f, struct row *rows, size_t n, size_t i)
{
	const struct elf_section *s = &f->sections[rows[i].section];
	uint64_t end = s->address + s->size;

	for (size_t j = i + 1; j < n && rows[j].section == rows[i].section; j++)
		if (rows[j].start > rows[i].start) {
			end = rows[j].start;
			break;
		}
	rows[i].size = end - rows[i].start;
}

static void add_symbol(struct elf_file *f, const struct row *row, uint64_t covered)
{
	uint64_t skip = row->start < covered ? covered - row->start : 0;

	f->symbols[f->n_symbols++] = (struct elf_symbol){
	    .name = row->name,
	    .file = row->file,
	    .start = row->start + skip,
	    .size = row->size - skip,
	    .section = row->section,
	    .first_name = (uint32_t)f->n_names,
	    .n_names = 1,
	    .code = row->code,
	    .local = !row->global,
	    .tls = row->tls,
	};
	f->names[f->n_names++] = row->name;
	f->n_addressed += !row->tls;
}

/* Sorted rows become symbols that do not overlap. */
static void merge(struct elf_file *f, struct row *rows, size_t n)
{
	uint64_t covered = 0;
	uint32_t section = 0;

	for (size_t i = 0; i < n; i++) {
		struct row *r = &rows[i];
		struct elf_symbol *last = f->n_symbols ? &f->symbols[f->n_symbols - 1] : NULL;

		if (r->section != section)
			covered = 0;
		section = r->section;
		if (last && r->start < covered && r->start == last->start) {
			f->names[f->n_names++] = r->name;
			last->n_names++;
			continue;
		}
		if (r->start < covered && end_of(r) <= covered)
			continue;
		if (!r->size)
			stretch(f, rows, n, i);
		if (!r->size)
			continue;
		add_symbol(f, r, covered);
		covered = end_of(r);
	}
}

int elf_file_read_symbols(struct elf_file *f, bool dynamic)
{
	size_t section = dynamic ? 0 : elf_symbol_table_find(f, SHT_SYMTAB);
	struct elf_symbol_table t = {0};

	if (!section)
		section = elf_symbol_table_find(f, SHT_DYNSYM);
	int r = section ? elf_symbol_table_open(&t, f, section) : -ENOENT;

	free(f->symbols);
	free(f->names);
	free(f->labels);
	f->symbols = NULL;
	f->names = NULL;
	f->labels = NULL;
	f->n_symbols = f->n_names = f->n_addressed = f->n_labels = 0;
	if (r)
		return r == -ENOENT ? 0 : r;
	struct row *rows = calloc(t.n + 1, sizeof(*rows));
	size_t n = 0;

	f->symbols = calloc(t.n + 1, sizeof(*f->symbols));
	f->names = calloc(t.n + 1, sizeof(*f->names));
	f->labels = calloc(t.n + 1, sizeof(*f->labels));
	r = rows && f->symbols && f->names && f->labels ? read_rows(f, &t, rows, &n) : -ENOMEM;
	if (!r) {
		qsort(rows, n, sizeof(*rows), compare_rows);
		qsort(f->labels, f->n_labels, sizeof(*f->labels), compare_labels);
		merge(f, rows, n);
	}
	free(rows);
	return r;
}

size_t elf_label_from(const struct elf_file *f, uint64_t address)
{
	size_t low = 0, high = f->n_labels;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (f->labels[middle].address < address)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

uint32_t elf_symbol_before(const struct elf_file *f, uint64_t address)
{
	size_t low = 0, high = f->n_addressed;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (f->symbols[middle].start <= address)
			low = middle + 1;
		else
			high = middle;
	}
	return low ? (uint32_t)(low - 1) : ELF_NONE;
}

uint32_t elf_tls_symbol_at(const struct elf_file *f, uint64_t address)
{
	size_t low = f->n_addressed, high = f->n_symbols;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (f->symbols[middle].start <= address)
			low = middle + 1;
		else
			high = middle;
	}
	if (low == f->n_addressed ||
	    address - f->symbols[low - 1].start >= f->symbols[low - 1].size)
		return ELF_NONE;
	return (uint32_t)(low - 1);
}

uint32_t elf_symbol_at(const struct elf_file *f, uint64_t address)
{
	uint32_t i = elf_symbol_before(f, address);

	return i != ELF_NONE && address - f->symbols[i].start < f->symbols[i].size ? i : ELF_NONE;
}
