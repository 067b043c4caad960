/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Walks the tables of symbols of an ELF file. */
#include "elf-functions.h"

#include <errno.h>
#include <gelf.h>
#include <stdlib.h>
#include <string.h>

#include "elf-symbol-table.h"

/* Of the index of a symbol's version, the bit that says that it is not the default one. */
#define HIDDEN 0x8000

struct table {
	struct elf_symbol_table symbols;
	Elf_Data *versions; /* NULL where it has none */
	const char **names; /* of versions, by index */
	size_t n_names;
};

static Elf_Data *find_data(const struct elf_file *f, uint32_t type, GElf_Shdr *header)
{
	size_t i = elf_symbol_table_find(f, type);
	Elf_Scn *scn = i ? elf_getscn(f->elf, i) : NULL;

	return scn && gelf_getshdr(scn, header) ? elf_getdata(scn, NULL) : NULL;
}

/* The names of the versions that the file defines. */
static int read_versions(const struct elf_file *f, struct table *t)
{
	GElf_Shdr header, ignored;
	Elf_Data *data = find_data(f, SHT_GNU_verdef, &header);
	int at = 0;

	t->versions = find_data(f, SHT_GNU_versym, &ignored);
	for (size_t i = 0; data && i < HIDDEN; i++) {
		GElf_Verdef def;
		GElf_Verdaux aux;
		size_t index;

		if (!gelf_getverdef(data, at, &def))
			break;
		index = def.vd_ndx & ~HIDDEN;
		if (index >= t->n_names) {
			const char **grown = reallocarray(t->names, index + 1, sizeof(*grown));

			if (!grown)
				return -ENOMEM;
			t->names = grown;
			while (t->n_names <= index)
				grown[t->n_names++] = NULL;
		}
		/* The version that is named as the file is not one of a symbol. */
		if (!(def.vd_flags & VER_FLG_BASE) &&
		    gelf_getverdaux(data, at + (int)def.vd_aux, &aux))
			t->names[index] = elf_strptr(f->elf, header.sh_link, aux.vda_name);
		if (!def.vd_next || def.vd_next > data->d_size)
			break;
		at += (int)def.vd_next;
	}
	return 0;
}

/* In the full table a version is a part of the name: NAME@VERSION, or NAME@@VERSION. */
static void split_version(struct elf_function *fn)
{
	const char *at = strchr(fn->name, '@');

	fn->name_length = at ? (int)(at - fn->name) : (int)strlen(fn->name);
	fn->is_default = !at || at[1] == '@';
	if (at)
		fn->version = at[1] == '@' ? at + 2 : at + 1;
}

static void take_version(const struct table *t, size_t i, struct elf_function *fn)
{
	GElf_Versym index;

	if (!t->versions || !gelf_getversym(t->versions, (int)i, &index))
		return;
	if ((index & ~HIDDEN) < t->n_names)
		fn->version = t->names[index & ~HIDDEN];
	fn->is_default = !(index & HIDDEN);
}

static bool is_function(const struct elf_file *f, const struct elf_symbol_row *row)
{
	const GElf_Sym *sym = &row->sym;
	const char *name = row->name;
	int type = GELF_ST_TYPE(sym->st_info);
	const struct elf_section *s;

	if (row->section == SHN_UNDEF || row->section >= f->n_sections || !name || !*name)
		return false;
	s = &f->sections[row->section];
	if (!(s->flags & SHF_EXECINSTR) || sym->st_value < s->address ||
	    sym->st_value - s->address >= s->size)
		return false;
	/* $x and $d mark instructions and data on ARM; .L labels are the compiler's own. */
	return type == STT_FUNC || type == STT_GNU_IFUNC ||
	       (type == STT_NOTYPE && *name != '$' && strncmp(name, ".L", 2) != 0);
}

static int walk(const struct elf_file *f, const struct table *t, elf_function_fn *each,
		void *context)
{
	const char *source = NULL;
	int r = 0;

	for (size_t i = 1; i < t->symbols.n && !r; i++) {
		struct elf_symbol_row row;

		if (!elf_symbol_table_row(&t->symbols, i, &row))
			return -EINVAL;
		int type = GELF_ST_TYPE(row.sym.st_info);

		if (type == STT_FILE)
			source = row.name && *row.name ? row.name : NULL;
		if (!is_function(f, &row))
			continue;
		struct elf_function fn = {
		    .name = row.name,
		    .address = row.sym.st_value,
		    .size = row.sym.st_size,
		    .local = GELF_ST_BIND(row.sym.st_info) == STB_LOCAL,
		    .indirect = type == STT_GNU_IFUNC,
		    .label = type == STT_NOTYPE,
		};

		split_version(&fn);
		take_version(t, i, &fn);
		fn.source = fn.local ? source : NULL;
		r = each(&fn, context);
	}
	return r;
}

static int walk_table(const struct elf_file *f, uint32_t type, elf_function_fn *each, void *context)
{
	struct table t = {0};
	size_t section = elf_symbol_table_find(f, type);

	if (!section)
		return 0;
	int r = elf_symbol_table_open(&t.symbols, f, section);

	if (!r && type == SHT_DYNSYM)
		r = read_versions(f, &t);
	if (!r)
		r = walk(f, &t, each, context);
	free(t.names);
	return r;
}

int elf_functions_each(const struct elf_file *f, elf_function_fn *each, void *context)
{
	int r = walk_table(f, SHT_SYMTAB, each, context);

	return r ? r : walk_table(f, SHT_DYNSYM, each, context);
}
