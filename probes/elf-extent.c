/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where data without a name end: at the next place that something refers to.
 *
 * What refers to data is code, relocations, and, where a program has a fixed address and so needs
 * no relocations, words that can be addresses.
 */
#include "elf-file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "code-insn.h"
#include "sorted-numbers.h"

struct references {
	struct elf_file *f;
	size_t capacity;
	int status;
};

static bool is_constant(const struct elf_file *f, uint64_t address)
{
	uint32_t i = elf_section_at(f, address);

	return i != ELF_NONE && f->sections[i].data && !(f->sections[i].flags & SHF_EXECINSTR);
}

static void add(struct references *r, uint64_t address)
{
	struct elf_file *f = r->f;

	if (r->status || !is_constant(f, address))
		return;
	if (f->n_referenced == r->capacity) {
		size_t capacity = r->capacity ? 2 * r->capacity : 4096;
		uint64_t *grown = reallocarray(f->referenced, capacity, sizeof(*grown));

		if (!grown) {
			r->status = -ENOMEM;
			return;
		}
		f->referenced = grown;
		r->capacity = capacity;
	}
	f->referenced[f->n_referenced++] = address;
}

static void add_operand(struct references *r, const struct code_ref *ref, uint64_t pages[])
{
	const struct elf_file *f = r->f;
	uint64_t mask = f->bits == 32 ? UINT32_MAX : UINT64_MAX;

	switch (ref->kind) {
	case REF_ADDRESS:
		add(r, ref->value);
		break;
	case REF_PAGE:
		pages[ref->reg] = ref->value;
		break;
	case REF_LOW:
		add(r, pages[ref->reg] + ref->value);
		break;
	case REF_VALUE:
		if (ref->flags & REF_NUMBER)
			break;
		if (f->type == ET_EXEC)
			add(r, ref->value & mask);
		else if (f->offset_table && f->code == ELF_CODE_X86_32)
			add(r, (f->offset_table + ref->value) & mask);
		break;
	default:
		break;
	}
}

static void add_code(struct references *r, const struct elf_section *s)
{
	uint64_t pages[32] = {0};
	struct code_insn insn;

	for (uint64_t at = 0; at < s->size; at += insn.length) {
		code_decode_refs(r->f->code, s->data + at, s->size - at, s->address + at, &insn);
		for (size_t i = 0; i < insn.n_refs; i++)
			add_operand(r, &insn.refs[i], pages);
	}
}

static void add_words(struct references *r, const struct elf_section *s)
{
	unsigned size = r->f->bits / 8;

	for (uint64_t at = -s->address % size; at + size <= s->size; at += size)
		add(r, elf_number(r->f, s->data + at, size));
}

/* Fields that count from the end of an x86-64 instruction have that in their addend. */
static uint64_t before_end(const struct elf_file *f, const struct elf_relocation *r)
{
	return f->type == ET_REL && f->code == ELF_CODE_X86_64 && r->type == R_X86_64_PC32 ? 4 : 0;
}

int elf_file_read_extents(struct elf_file *f)
{
	struct references r = {.f = f};

	for (size_t i = 0; i < f->n_by_address; i++) {
		const struct elf_section *s = &f->sections[f->by_address[i]];

		if (s->data && (s->flags & SHF_EXECINSTR) && f->code != ELF_CODE_NONE &&
		    f->type != ET_REL)
			add_code(&r, s);
		else if (s->data && f->type == ET_EXEC)
			add_words(&r, s);
	}
	for (size_t i = 0; i < f->n_relocations; i++)
		add(&r, elf_relocation_place(f, &f->relocations[i]) +
			    before_end(f, &f->relocations[i]));
	numbers_sort(f->referenced, f->n_referenced);
	return r.status;
}

uint64_t elf_extent(const struct elf_file *f, uint64_t address)
{
	uint32_t i = elf_section_at(f, address), next = elf_symbol_before(f, address);
	size_t low = 0, high = f->n_referenced;

	if (i == ELF_NONE)
		return 0;
	uint64_t end = f->sections[i].address + f->sections[i].size;

	next = next == ELF_NONE ? 0 : next + 1;
	if (next < f->n_addressed && f->symbols[next].start < end)
		end = f->symbols[next].start;
	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (f->referenced[middle] <= address)
			low = middle + 1;
		else
			high = middle;
	}
	if (low < f->n_referenced && f->referenced[low] < end)
		end = f->referenced[low];
	return end - address;
}
