/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads the instructions of a function that is to be probed. */
#include "scope-code.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "code-insn.h"
#include "insn-class.h"

/* The words of arm64, without the fields that do not matter. */
#define A64_NOP UINT32_C(0xd503201f)
#define A64_PACIASP UINT32_C(0xd503233f)
#define A64_PACIBSP UINT32_C(0xd503237f)
#define A64_BTI UINT32_C(0xd503241f)

enum flow { FLOW_ON, FLOW_JUMP, FLOW_POINTER, FLOW_RETURN, FLOW_STOP };

static uint32_t word_at(const uint8_t *p)
{
	return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

static bool is_x86_prefix(uint8_t b)
{
	return b == 0xf2 || b == 0xf3 || b == 0x66 || b == 0x3e || (b & 0xf0) == 0x40;
}

static enum flow x86_flow(const uint8_t *p, const struct code_insn *insn)
{
	size_t at = 0;

	while (at + 1 < insn->length && is_x86_prefix(p[at]))
		at++;
	if (p[at] == 0xc3 || p[at] == 0xc2)
		return FLOW_RETURN;
	if (p[at] == 0xff && at + 1 < insn->length) {
		unsigned mod = p[at + 1] >> 6, rm = p[at + 1] & 7;
		bool no_track = memchr(p, 0x3e, at) != NULL;

		/* By an index into a table, or marked as the compiler marks those jumps. */
		if (no_track ||
		    (mod != 3 && rm == 4 && at + 2 < insn->length && (p[at + 2] >> 3 & 7) != 4))
			return FLOW_STOP;
		return FLOW_POINTER;
	}
	return FLOW_STOP;
}

static enum flow arm64_flow(uint32_t w)
{
	if ((w & 0xfffffc1f) == 0xd65f0000 || w == 0xd65f0bff || w == 0xd65f0fff)
		return FLOW_RETURN;
	return (w & 0xfefff000) == 0xd61f0000 ? FLOW_POINTER : FLOW_STOP;
}

/* *TO: where a jump or a branch leads. */
static enum flow flow_of(enum elf_code code, const uint8_t *p, const struct code_insn *insn,
			 uint64_t *to)
{
	for (size_t i = 0; i < insn->n_refs; i++)
		if (insn->refs[i].kind == REF_BRANCH && !insn->call) {
			*to = insn->refs[i].value;
			return FLOW_JUMP;
		}
	if (code == ELF_CODE_ARM64 && !insn->unknown)
		return insn->leaves || (word_at(p) & 0xfe000000) == 0xd6000000
			   ? arm64_flow(word_at(p))
			   : FLOW_ON;
	return insn->leaves ? x86_flow(p, insn) : FLOW_ON;
}

/* A switch goes on by a register that was read from a table: an addition comes just before. */
static bool is_switch(enum elf_code code, const uint8_t *before)
{
	if (!before)
		return false;
	if (code == ELF_CODE_ARM64)
		return (word_at(before) & 0x7f200000) == 0x0b200000 ||
		       (word_at(before) & 0x7f200000) == 0x0b000000;
	return (before[0] & 0xf8) == 0x48 && (before[1] == 0x01 || before[1] == 0x03);
}

static int note(struct scope_code *c, uint64_t address)
{
	/* Room is made in powers of two. */
	if (!(c->n_returns & (c->n_returns - 1))) {
		size_t room = c->n_returns ? 2 * c->n_returns : 1;
		uint64_t *grown = reallocarray(c->returns, room, sizeof(*grown));

		if (!grown)
			return -ENOMEM;
		c->returns = grown;
	}
	c->returns[c->n_returns++] = address;
	return 0;
}

static bool is_in(const struct scope_extent *parts, size_t n_parts, uint64_t address)
{
	for (size_t i = 0; i < n_parts; i++)
		if (address - parts[i].start < parts[i].size)
			return true;
	return false;
}

static int read_part(struct scope_code *code, const struct elf_file *f,
		     const struct scope_extent *parts, size_t n_parts, size_t part)
{
	uint64_t start = parts[part].start, size = parts[part].size, available = 0;
	const uint8_t *p = elf_bytes_at(f, start, &available), *before = NULL;
	struct code_insn insn;
	int r = 0;

	if (!p)
		return -ENODATA;
	if (size > available)
		size = available;
	for (uint64_t at = 0; at < size && !r; at += insn.length) {
		uint64_t to = 0;

		code_decode(f->code, p + at, size - at, start + at, &insn);
		switch (flow_of(f->code, p + at, &insn, &to)) {
		case FLOW_RETURN:
			r = note(code, start + at);
			break;
		case FLOW_JUMP:
			if (!is_in(parts, n_parts, to))
				code->jumps_to = to;
			code->loops |= to == parts[0].start;
			break;
		case FLOW_POINTER:
			code->jumps_by_pointer |= !is_switch(f->code, before);
			break;
		default:
			break;
		}
		before = p + at;
	}
	return r;
}

int scope_code_init(struct scope_code *code, const struct elf_file *f,
		    const struct scope_extent *parts, size_t n_parts)
{
	int r = 0;

	*code = (struct scope_code){0};
	for (size_t i = 0; i < n_parts && !r; i++)
		r = read_part(code, f, parts, n_parts, i);
	if (r)
		scope_code_release(code);
	return r;
}

void scope_code_release(struct scope_code *code)
{
	free(code->returns);
	*code = (struct scope_code){0};
}

bool scope_code_is_boundary(const struct elf_file *f, const struct scope_extent *function,
			    uint64_t offset, uint64_t *before, uint64_t *after)
{
	uint64_t available = 0, at = 0, length = 0;
	const uint8_t *p = elf_bytes_at(f, function->start, &available);
	uint64_t size = function->size < available ? function->size : available;
	struct insn_reader *reader = p ? insn_reader_new(f->code) : NULL;
	char text[160];

	*before = *after = 0;
	for (; reader && at < size && at < offset; at += length) {
		*before = at;
		length =
		    insn_text(reader, p + at, size - at, function->start + at, text, sizeof(text));
		/* Data, or newer than the disassembler. */
		if (!length) {
			struct code_insn insn;

			code_decode(f->code, p + at, size - at, function->start + at, &insn);
			length = insn.length;
		}
	}
	*after = at;
	insn_reader_free(reader);
	return reader && at == offset && at < size;
}

void scope_code_text(const struct elf_file *f, uint64_t address, char *text, size_t text_size)
{
	uint64_t available = 0;
	const uint8_t *p = elf_bytes_at(f, address, &available);
	struct insn_reader *reader = p ? insn_reader_new(f->code) : NULL;

	*text = '\0';
	if (reader)
		insn_text(reader, p, available, address, text, text_size);
	insn_reader_free(reader);
}

static enum scope_class class_arm64(uint32_t w)
{
	if (w == A64_NOP)
		return SCOPE_CLASS_NOP;
	if (w == A64_PACIASP || w == A64_PACIBSP || (w & 0xffffff3f) == A64_BTI)
		return SCOPE_CLASS_LANDING;
	if ((w & 0x1f000000) == 0x10000000)
		return SCOPE_CLASS_ADDRESS;
	/* stp x29, x30, [sp, #-N]! */
	if ((w & 0xffe07fff) == 0xa9a07bfd)
		return SCOPE_CLASS_PUSH;
	/* sub sp, sp, #N */
	if ((w & 0xff8003ff) == 0xd10003ff)
		return SCOPE_CLASS_STACK;
	return (w & 0x7c000000) == 0x14000000 || (w & 0xff000000) == 0x54000000 ||
		       (w & 0x7c000000) == 0x34000000 || (w & 0xfe000000) == 0xd6000000
		   ? SCOPE_CLASS_EMULATED
		   : SCOPE_CLASS_STEPPED;
}

static enum scope_class class_x86(const uint8_t *p, const struct code_insn *insn)
{
	bool branch = insn->call || insn->leaves;
	size_t at = insn->length > 1 && (*p & 0xf0) == 0x40;

	for (size_t i = 0; i < insn->n_refs; i++)
		branch |= insn->refs[i].kind == REF_BRANCH;
	if (branch)
		return SCOPE_CLASS_EMULATED;
	if (insn->nop)
		return SCOPE_CLASS_NOP;
	if (insn->length == 4 && !memcmp(p, "\xf3\x0f\x1e\xfa", 4))
		return SCOPE_CLASS_LANDING;
	if (insn->length == at + 1 && (p[at] & 0xf8) == 0x50)
		return SCOPE_CLASS_PUSH;
	if (insn->length >= 4 && *p == 0x48 && (p[1] == 0x83 || p[1] == 0x81) && p[2] == 0xec)
		return SCOPE_CLASS_STACK;
	if (insn->length == at + 6 && p[at] == 0x8d && (p[at + 1] & 0xc7) == 0x05)
		return SCOPE_CLASS_ADDRESS;
	return SCOPE_CLASS_STEPPED;
}

enum scope_class scope_code_class(const struct elf_file *f, uint64_t address)
{
	uint64_t available = 0;
	const uint8_t *p = elf_bytes_at(f, address, &available);
	struct code_insn insn;

	if (!p)
		return SCOPE_CLASS_STEPPED;
	code_decode(f->code, p, available, address, &insn);
	if (insn.unknown)
		return SCOPE_CLASS_STEPPED;
	return f->code == ELF_CODE_ARM64 ? class_arm64(word_at(p)) : class_x86(p, &insn);
}

/* A load or a prefetch of what is beside the code: ldr, ldrsw, prfm of a literal. */
static bool is_literal(uint32_t w)
{
	return (w & 0x3b000000) == 0x18000000;
}

bool scope_code_leads_to(const struct elf_file *f, const struct scope_extent *function,
			 const struct scope_extent *to)
{
	uint64_t available = 0, target = 0;
	const uint8_t *p = elf_bytes_at(f, function->start, &available);
	uint64_t size = function->size < available ? function->size : available;
	struct code_insn insn;

	for (uint64_t at = 0; p && at < size; at += insn.length) {
		code_decode(f->code, p + at, size - at, function->start + at, &insn);
		if (flow_of(f->code, p + at, &insn, &target) == FLOW_JUMP &&
		    target - to->start < to->size)
			return true;
	}
	return false;
}

int scope_code_skip(const struct elf_file *f, const struct scope_extent *function,
		    unsigned *skipped, uint64_t *address)
{
	uint64_t available = 0;
	const uint8_t *p = elf_bytes_at(f, function->start, &available);
	uint64_t size = function->size < available ? function->size : available;

	*skipped = 0;
	*address = function->start;
	if (!p || f->code != ELF_CODE_ARM64)
		return 0;
	for (uint64_t at = 0; at + 8 <= size && is_literal(word_at(p + at)); at += 4) {
		++*skipped;
		*address += 4;
	}
	const struct scope_extent moved = {function->start + 4, *address - function->start};

	return *skipped && scope_code_leads_to(f, function, &moved) ? -EINVAL : 0;
}
