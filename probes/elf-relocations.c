/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Relocations: those of an object file, and those that the dynamic linker makes. */
#include "elf-file.h"

#include <errno.h>
#include <gelf.h>
#include <stdlib.h>
#include <string.h>

#include "elf-symbol-table.h"

/* The symbols of one table, as relocations number them. */
struct numbered {
	size_t section, first, n;
};

static bool is_relocation(const struct elf_file *f, size_t i)
{
	const struct elf_section *s = &f->sections[i];

	return (s->type == SHT_REL || s->type == SHT_RELA) &&
	       (f->type == ET_REL || (s->flags & SHF_ALLOC));
}

static struct elf_target target_of(const struct elf_file *f, const struct elf_symbol_row *row)
{
	uint32_t section = row->section;
	const GElf_Sym *sym = &row->sym;
	struct elf_target t = {.name = row->name, .address = sym->st_value};

	t.defined = section != SHN_UNDEF && section < f->n_sections &&
		    (f->sections[section].flags & SHF_ALLOC);
	if (t.defined && f->type == ET_REL)
		t.address += f->sections[section].address;
	/* .L labels are the compiler's own, and others after each change. */
	t.named = t.name && *t.name && strncmp(t.name, ".L", 2) != 0 &&
		  GELF_ST_TYPE(sym->st_info) != STT_SECTION;
	if (!t.name ||
	    (t.defined && f->type != ET_REL && GELF_ST_TYPE(sym->st_info) == STT_SECTION))
		t.name = "";
	return t;
}

static int add_targets(struct elf_file *f, size_t section, struct numbered *table)
{
	struct elf_symbol_table t;
	int r = elf_symbol_table_open(&t, f, section);

	if (r)
		return r;
	*table = (struct numbered){section, f->n_targets, t.n};
	for (size_t i = 0; i < t.n; i++) {
		struct elf_symbol_row row;

		if (!elf_symbol_table_row(&t, i, &row))
			return -EINVAL;
		f->targets[f->n_targets++] = target_of(f, &row);
	}
	return 0;
}

static int add_relocations(struct elf_file *f, size_t section, const struct numbered *table)
{
	Elf_Scn *scn = elf_getscn(f->elf, section);
	Elf_Data *data = elf_getdata(scn, NULL);
	bool with_addend = f->sections[section].type == SHT_RELA;
	GElf_Shdr header;
	uint64_t base = 0;

	if (!data || !gelf_getshdr(scn, &header))
		return -EINVAL;
	if (f->type == ET_REL) {
		if (header.sh_info >= f->n_sections ||
		    !(f->sections[header.sh_info].flags & SHF_ALLOC))
			return 0;
		base = f->sections[header.sh_info].address;
	}
	size_t n = header.sh_size /
		   gelf_fsize(f->elf, with_addend ? ELF_T_RELA : ELF_T_REL, 1, EV_CURRENT);

	for (size_t i = 0; i < n; i++) {
		GElf_Rela r = {0};
		GElf_Rel rel;

		if (with_addend ? !gelf_getrela(data, (int)i, &r)
				: !gelf_getrel(data, (int)i, &rel))
			return -EINVAL;
		if (!with_addend)
			r = (GElf_Rela){.r_offset = rel.r_offset, .r_info = rel.r_info};
		size_t symbol = GELF_R_SYM(r.r_info);

		f->relocations[f->n_relocations++] = (struct elf_relocation){
		    .address = base + r.r_offset,
		    .addend = r.r_addend,
		    .type = (uint32_t)GELF_R_TYPE(r.r_info),
		    .target =
			symbol && symbol < table->n ? &f->targets[table->first + symbol] : NULL,
		    .in_place = !with_addend,
		};
	}
	return 0;
}

static int compare_relocations(const void *a, const void *b)
{
	const struct elf_relocation *x = a, *y = b;

	if (x->address != y->address)
		return x->address < y->address ? -1 : 1;
	return x->type < y->type ? -1 : x->type > y->type;
}

/* The symbol table that section I refers to, or 0. */
static size_t table_of(const struct elf_file *f, size_t i)
{
	GElf_Shdr header;

	if (!gelf_getshdr(elf_getscn(f->elf, i), &header) || header.sh_link >= f->n_sections)
		return 0;
	uint32_t type = f->sections[header.sh_link].type;

	return type == SHT_SYMTAB || type == SHT_DYNSYM ? header.sh_link : 0;
}

/* Both tables of symbols, and room for every relocation. Their sizes are bounded by the file's. */
static int make_room(struct elf_file *f)
{
	uint64_t symbols = 0, relocations = 0;

	for (size_t i = 1; i < f->n_sections; i++) {
		const struct elf_section *s = &f->sections[i];

		if (s->type == SHT_SYMTAB || s->type == SHT_DYNSYM)
			symbols += s->size / gelf_fsize(f->elf, ELF_T_SYM, 1, EV_CURRENT);
		if (is_relocation(f, i))
			relocations += s->size / gelf_fsize(f->elf, ELF_T_REL, 1, EV_CURRENT);
	}
	if (symbols > f->file_size || relocations > f->file_size)
		return -EINVAL;
	f->targets = calloc(symbols + 1, sizeof(*f->targets));
	f->relocations = calloc(relocations + 1, sizeof(*f->relocations));
	return f->targets && f->relocations ? 0 : -ENOMEM;
}

int elf_file_read_relocations(struct elf_file *f)
{
	struct numbered *tables = calloc(f->n_sections, sizeof(*tables));
	int r = tables ? make_room(f) : -ENOMEM;

	for (size_t i = 1; i < f->n_sections && !r; i++) {
		if (!is_relocation(f, i) || !f->sections[i].size)
			continue;
		size_t t = table_of(f, i);

		if (t && !tables[t].section)
			r = add_targets(f, t, &tables[t]);
		if (!r)
			r = add_relocations(f, i, &tables[t]);
	}
	free(tables);
	if (!r)
		qsort(f->relocations, f->n_relocations, sizeof(*f->relocations),
		      compare_relocations);
	return r;
}

const struct elf_relocation *elf_relocation_in(const struct elf_file *f, uint64_t address,
					       uint64_t size)
{
	size_t low = 0, high = f->n_relocations;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (f->relocations[middle].address < address)
			low = middle + 1;
		else
			high = middle;
	}
	return low < f->n_relocations && f->relocations[low].address - address < size
		   ? &f->relocations[low]
		   : NULL;
}

int64_t elf_relocation_addend(const struct elf_file *f, const struct elf_relocation *r)
{
	uint64_t size = 0;
	const uint8_t *p = r->in_place ? elf_bytes_at(f, r->address, &size) : NULL;

	return p && size >= 4 ? (int64_t)(int32_t)elf_number(f, p, 4) : r->addend;
}

uint64_t elf_relocation_place(const struct elf_file *f, const struct elf_relocation *r)
{
	uint64_t base = r->target ? r->target->address : 0;

	return base + (uint64_t)elf_relocation_addend(f, r);
}
