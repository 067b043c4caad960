/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Instructions as the disassembler sees them. */
#include "insn-class.h"

#include <capstone.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "code-insn.h"

/* Programs repeat themselves: what was classified is remembered by its bytes without addresses. */
enum { REMEMBERED = 1 << 16, CLASSIFIED = 1 << 15 };

struct remembered {
	uint16_t classes; /* a bit each; CLASSIFIED if the disassembler knew it */
	uint8_t n;
	uint8_t bytes[CODE_MAX_LENGTH];
};

struct insn_reader {
	csh handle;
	cs_insn *insn;
	enum elf_code code;
	bool arm64;
	struct remembered *memory; /* REMEMBERED of them */
};

const char *insn_class_name(enum insn_class c)
{
	static const char *const names[] = {
	    [INSN_LOAD] = "loads",      [INSN_STORE] = "stores",  [INSN_PREFETCH] = "prefetches",
	    [INSN_BRANCH] = "branches", [INSN_CALL] = "calls",    [INSN_ATOMIC] = "atomics",
	    [INSN_FENCE] = "fences",    [INSN_VECTOR] = "vector", [INSN_NOP] = "nops",
	};

	return names[c];
}

const char *insn_class_one(enum insn_class c)
{
	static const char *const names[] = {
	    [INSN_LOAD] = "load",     [INSN_STORE] = "store",   [INSN_PREFETCH] = "prefetch",
	    [INSN_BRANCH] = "branch", [INSN_CALL] = "call",     [INSN_ATOMIC] = "atomic",
	    [INSN_FENCE] = "fence",   [INSN_VECTOR] = "vector", [INSN_NOP] = "nop",
	};

	return names[c];
}

struct insn_reader *insn_reader_new(enum elf_code code)
{
	struct insn_reader *r = calloc(1, sizeof(*r));
	bool opened = false;

	if (!r)
		return NULL;
	r->code = code;
	r->arm64 = code == ELF_CODE_ARM64;
	if (code == ELF_CODE_X86_64 || code == ELF_CODE_X86_32)
		opened = !cs_open(CS_ARCH_X86, code == ELF_CODE_X86_64 ? CS_MODE_64 : CS_MODE_32,
				  &r->handle);
	else if (code == ELF_CODE_ARM64)
		opened = !cs_open(CS_ARCH_ARM64, CS_MODE_LITTLE_ENDIAN, &r->handle);
	if (!opened) {
		free(r);
		return NULL;
	}
	cs_option(r->handle, CS_OPT_DETAIL, CS_OPT_ON);
	r->insn = cs_malloc(r->handle);
	r->memory = calloc(REMEMBERED, sizeof(*r->memory));
	if (r->insn && r->memory)
		return r;
	insn_reader_free(r);
	return NULL;
}

void insn_reader_free(struct insn_reader *r)
{
	if (!r)
		return;
	if (r->insn)
		cs_free(r->insn, 1);
	cs_close(&r->handle);
	free(r->memory);
	free(r);
}

static bool begins(const char *text, const char *prefix)
{
	return strncmp(text, prefix, strlen(prefix)) == 0;
}

static bool is_x86_vector(const cs_x86_op *op)
{
	return op->type == X86_OP_REG && ((op->reg >= X86_REG_XMM0 && op->reg <= X86_REG_ZMM31) ||
					  (op->reg >= X86_REG_MM0 && op->reg <= X86_REG_MM7));
}

static void classify_x86(const cs_insn *insn, bool of[INSN_CLASSES])
{
	const cs_x86 *x = &insn->detail->x86;

	of[INSN_NOP] = insn->id == X86_INS_NOP || insn->id == X86_INS_FNOP;
	of[INSN_PREFETCH] = begins(insn->mnemonic, "prefetch");
	of[INSN_FENCE] =
	    insn->id == X86_INS_MFENCE || insn->id == X86_INS_LFENCE || insn->id == X86_INS_SFENCE;
	of[INSN_ATOMIC] = x->prefix[0] == X86_PREFIX_LOCK;
	of[INSN_STORE] = begins(insn->mnemonic, "push");
	of[INSN_LOAD] = begins(insn->mnemonic, "pop") && !begins(insn->mnemonic, "popcnt");
	for (size_t i = 0; i < x->op_count; i++) {
		const cs_x86_op *op = &x->operands[i];

		of[INSN_VECTOR] |= is_x86_vector(op);
		if (op->type != X86_OP_MEM || insn->id == X86_INS_LEA || of[INSN_NOP] ||
		    of[INSN_PREFETCH])
			continue;
		of[INSN_LOAD] |= (op->access & CS_AC_READ) != 0;
		of[INSN_STORE] |= (op->access & CS_AC_WRITE) != 0;
		/* An exchange with memory is atomic without being asked. */
		of[INSN_ATOMIC] |= insn->id == X86_INS_XCHG;
	}
}

static bool is_arm64_atomic(const char *m)
{
	static const char *const words[] = {
	    "ldxr",   "ldxp",   "ldaxr", "ldaxp", "stxr",  "stxp",  "stlxr",  "stlxp",
	    "cas",    "swp",    "ldadd", "ldclr", "ldeor", "ldset", "ldsmax", "ldsmin",
	    "ldumax", "ldumin", "stadd", "stclr", "steor", "stset"};

	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
		if (begins(m, words[i]))
			return true;
	return false;
}

static bool is_arm64_vector(const cs_arm64_op *op)
{
	arm64_reg r = op->type == ARM64_OP_REG ? op->reg : ARM64_REG_INVALID;

	return op->vas != ARM64_VAS_INVALID || (r >= ARM64_REG_B0 && r <= ARM64_REG_B31) ||
	       (r >= ARM64_REG_D0 && r <= ARM64_REG_D31) ||
	       (r >= ARM64_REG_H0 && r <= ARM64_REG_H31) ||
	       (r >= ARM64_REG_Q0 && r <= ARM64_REG_Q31) ||
	       (r >= ARM64_REG_S0 && r <= ARM64_REG_S31) ||
	       (r >= ARM64_REG_V0 && r <= ARM64_REG_V31);
}

static void classify_arm64(const cs_insn *insn, bool of[INSN_CLASSES])
{
	const cs_arm64 *x = &insn->detail->arm64;
	const char *m = insn->mnemonic;

	of[INSN_NOP] = insn->id == ARM64_INS_NOP || !strcmp(m, "nop");
	of[INSN_PREFETCH] = begins(m, "prf");
	of[INSN_FENCE] = !strcmp(m, "dmb") || !strcmp(m, "dsb") || !strcmp(m, "isb");
	of[INSN_ATOMIC] = is_arm64_atomic(m);
	of[INSN_LOAD] = begins(m, "ld") || begins(m, "cas") || begins(m, "swp");
	/* Atomic operations on memory both load and store, whatever they are called. */
	of[INSN_STORE] =
	    begins(m, "st") || (of[INSN_ATOMIC] && !begins(m, "ldx") && !begins(m, "ldax"));
	for (size_t i = 0; i < x->op_count; i++)
		of[INSN_VECTOR] |= is_arm64_vector(&x->operands[i]);
}

/* The classes of the one instruction at P, a bit each. */
static uint16_t classify(struct insn_reader *r, const uint8_t *p, size_t n, uint64_t address)
{
	bool of[INSN_CLASSES] = {false};
	uint16_t classes = CLASSIFIED;

	if (!cs_disasm_iter(r->handle, &p, &n, &address, r->insn))
		return 0;
	if (r->arm64)
		classify_arm64(r->insn, of);
	else
		classify_x86(r->insn, of);
	for (size_t i = 0; i < r->insn->detail->groups_count; i++) {
		uint8_t group = r->insn->detail->groups[i];

		of[INSN_CALL] |= group == CS_GRP_CALL;
		of[INSN_BRANCH] |= group == CS_GRP_JUMP || group == CS_GRP_RET;
	}
	of[INSN_BRANCH] &= !of[INSN_CALL];
	for (size_t i = 0; i < INSN_CLASSES; i++)
		classes |= (uint16_t)(of[i] << i);
	return classes;
}

static size_t slot_of(const struct code_insn *insn)
{
	uint32_t h = 2166136261u;

	for (size_t i = 0; i < insn->n_masked; i++)
		h = (h ^ insn->masked[i]) * 16777619u;
	return (h ^ h >> 16) % REMEMBERED;
}

void insn_count(struct insn_reader *r, const uint8_t *p, size_t n, uint64_t address,
		struct insn_mix *mix)
{
	struct code_insn insn;

	mix->bytes += n;
	for (size_t at = 0; at < n; at += insn.length) {
		code_decode(r->code, p + at, n - at, address + at, &insn);
		struct remembered *m = &r->memory[slot_of(&insn)];

		if (m->n != insn.n_masked || memcmp(m->bytes, insn.masked, insn.n_masked)) {
			m->classes =
			    insn.unknown ? 0 : classify(r, p + at, insn.length, address + at);
			m->n = insn.n_masked;
			memcpy(m->bytes, insn.masked, insn.n_masked);
		}
		/* What is no instruction is data between them. */
		mix->instructions += !insn.unknown;
		for (size_t i = 0; i < INSN_CLASSES; i++)
			mix->of[i] += m->classes >> i & 1;
	}
}

size_t insn_text(struct insn_reader *r, const uint8_t *p, size_t n, uint64_t address, char *text,
		 size_t text_size)
{
	size_t left = n;

	*text = '\0';
	if (!cs_disasm_iter(r->handle, &p, &left, &address, r->insn))
		return 0;
	snprintf(text, text_size, "%s%s%s", r->insn->mnemonic, *r->insn->op_str ? " " : "",
		 r->insn->op_str);
	return n - left;
}

/* Comparisons of one number, which the disassembler takes for vectors. */
static unsigned scalar_size(const cs_insn *insn)
{
	const char *m = insn->mnemonic + (*insn->mnemonic == 'v');

	if (!strcmp(m, "comisd") || !strcmp(m, "ucomisd"))
		return 8;
	return !strcmp(m, "comiss") || !strcmp(m, "ucomiss") ? 4 : 0;
}

unsigned insn_access_size(struct insn_reader *r, const uint8_t *p, size_t n, uint64_t address)
{
	unsigned size = 0, scalar;

	if (r->arm64 || !cs_disasm_iter(r->handle, &p, &n, &address, r->insn) ||
	    r->insn->id == X86_INS_LEA)
		return 0;
	for (size_t i = 0; i < r->insn->detail->x86.op_count; i++)
		if (r->insn->detail->x86.operands[i].type == X86_OP_MEM)
			size = r->insn->detail->x86.operands[i].size;
	scalar = scalar_size(r->insn);
	return scalar ? scalar : size;
}
