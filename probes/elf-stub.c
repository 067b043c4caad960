/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Stubs of imported functions, as linkers make them. */
#include "elf-same.h"

#include <string.h>

#include "code-insn.h"

/* i386 counts from the global offset table, unless the address is fixed. */
static uint64_t slot_of(const struct elf_file *f, const struct code_ref *r)
{
	if (f->code != ELF_CODE_X86_32 || (r->flags & REF_BARE))
		return f->bits == 32 ? r->value & UINT32_MAX : r->value;
	return (f->offset_table + r->value) & UINT32_MAX;
}

bool elf_stub_slot(const struct elf_file *f, uint64_t address, uint64_t *slot)
{
	static const uint8_t endbr64[] = {0xf3, 0x0f, 0x1e, 0xfa},
			     endbr32[] = {0xf3, 0x0f, 0x1e, 0xfb};
	static const uint8_t bti[] = {0x5f, 0x24, 0x03, 0xd5};
	uint32_t section = elf_section_at(f, address);
	uint64_t size = 0;
	const uint8_t *p = elf_bytes_at(f, address, &size);
	struct code_insn insn, next;

	if (section == ELF_NONE || !p || strncmp(f->sections[section].name, ".plt", 4) ||
	    address % 8)
		return false;
	if (size > 4 && (!memcmp(p, endbr64, 4) || !memcmp(p, endbr32, 4) || !memcmp(p, bti, 4))) {
		p += 4;
		size -= 4;
		address += 4;
	}
	code_decode(f->code, p, size, address, &insn);
	if (insn.leaves && insn.n_refs == 1 && insn.refs[0].kind != REF_BRANCH) {
		*slot = slot_of(f, &insn.refs[0]);
		return true;
	}
	if (insn.n_refs != 1 || insn.refs[0].kind != REF_PAGE || size < 8)
		return false;
	code_decode(f->code, p + 4, size - 4, address + 4, &next);
	if (next.n_refs != 1 || next.refs[0].kind != REF_LOW ||
	    next.refs[0].reg != insn.refs[0].reg)
		return false;
	*slot = insn.refs[0].value + next.refs[0].value;
	return true;
}
