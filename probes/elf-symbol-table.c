/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Rows of a table of symbols. */
#include "elf-symbol-table.h"

#include <errno.h>

size_t elf_symbol_table_find(const struct elf_file *f, uint32_t type)
{
	for (size_t i = 1; i < f->n_sections; i++)
		if (f->sections[i].type == type)
			return i;
	return 0;
}

int elf_symbol_table_open(struct elf_symbol_table *t, const struct elf_file *f, size_t section)
{
	Elf_Scn *scn = elf_getscn(f->elf, section);
	GElf_Shdr header;

	*t = (struct elf_symbol_table){.elf = f->elf};
	if (!scn || !gelf_getshdr(scn, &header))
		return -EINVAL;
	t->data = elf_getdata(scn, NULL);
	t->strings = header.sh_link;
	if (!t->data)
		return header.sh_size ? -EINVAL : 0;
	t->n = header.sh_size / gelf_fsize(f->elf, ELF_T_SYM, 1, EV_CURRENT);
	int extended = elf_scnshndx(scn);

	if (extended > 0)
		t->extended = elf_getdata(elf_getscn(f->elf, (size_t)extended), NULL);
	return 0;
}

bool elf_symbol_table_row(const struct elf_symbol_table *t, size_t i, struct elf_symbol_row *row)
{
	Elf32_Word index = 0;

	if (!gelf_getsymshndx(t->data, t->extended, (int)i, &row->sym, &index))
		return false;
	if (row->sym.st_shndx != SHN_XINDEX)
		index = row->sym.st_shndx < SHN_LORESERVE ? row->sym.st_shndx : SHN_UNDEF;
	row->section = index;
	row->name = elf_strptr(t->elf, t->strings, row->sym.st_name);
	return true;
}
