/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Instructions for comparing: one decoder a machine. */
#include "code-insn.h"

#include <string.h>

static inline void decode(enum elf_code code, const uint8_t *p, size_t n, uint64_t address,
			  bool refs, struct code_insn *out)
{
	bool known = false;
	size_t unit = 1;

	out->n_refs = 0;
	out->nop = out->leaves = out->unknown = out->call = out->jumps = false;
	out->written = 0;
	if (code == ELF_CODE_X86_64 || code == ELF_CODE_X86_32) {
		known = code_decode_x86(code == ELF_CODE_X86_64, p, n, address, refs, out);
	} else if (code == ELF_CODE_ARM64) {
		known = code_decode_arm64(p, n, address, out);
		unit = 4;
	}
	if (known)
		return;
	out->unknown = true;
	out->n_refs = 0;
	out->length = out->n_masked = (uint8_t)(n < unit ? n : unit);
	memcpy(out->masked, p, out->length);
}

void code_decode(enum elf_code code, const uint8_t *p, size_t n, uint64_t address,
		 struct code_insn *out)
{
	decode(code, p, n, address, false, out);
}

void code_decode_refs(enum elf_code code, const uint8_t *p, size_t n, uint64_t address,
		      struct code_insn *out)
{
	decode(code, p, n, address, true, out);
}

bool code_is_filler(const struct code_insn *insn)
{
	/* Zeros are an addition on x86, which no compiler makes. */
	return insn->nop || (insn->n_masked == 1 && insn->masked[0] == 0xcc) ||
	       (insn->n_masked == 2 && !insn->masked[0] && !insn->masked[1]) ||
	       (insn->unknown && !insn->masked[0] && !insn->masked[insn->n_masked - 1]);
}
