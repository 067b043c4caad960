/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a scope is: a part of a run, from a place where it begins to a place where it ends.
 *
 *   text → scope_spec → scope_target, once for each variant's own binary
 *
 * A specification is what the user wrote; a target is where that is in one binary, or in the
 * kernel, and what must be known of the instructions there to probe and to calibrate.
 */
#ifndef ABSTAT_SCOPE_TARGET_H
#define ABSTAT_SCOPE_TARGET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum scope_kind {
	SCOPE_FUNCTION, /* from its entry to its return */
	SCOPE_RANGE,    /* from one instruction of a function to another */
	SCOPE_KERNEL,   /* a kernel function, from its entry to its return */
	SCOPE_MARKERS,  /* from one USDT marker to another */
	SCOPE_REGION,   /* marked in the source by abstat/region.h */
};

/* [NAME=]SPEC as written, taken apart. Strings are owned. */
struct scope_spec {
	char *name; /* as given, else made from the specification; has no '/' */
	char *text; /* SPEC as written */
	enum scope_kind kind;
	char *binary;      /* of BINARY:FUNC: a path, or a library's name; NULL: the variant's own
			      program, then its libraries */
	char *symbol;      /* FUNC, also of FUNC+0x10..FUNC+0x40; NULL where the kind has none */
	uint64_t from, to; /* SCOPE_RANGE: bytes after the symbol */
	char *begin, *end; /* SCOPE_MARKERS: PROVIDER:NAME */
};

/* 0, -EINVAL with a message that says what is wrong and how it is written, or -ENOMEM. */
int scope_spec_parse(struct scope_spec *spec, const char *text, char *err, size_t err_size);
void scope_spec_release(struct scope_spec *spec);

/*
 * Classes of first instructions: what a probe on one adds to the counts depends on how the kernel
 * executes it, and kernels learn to do more of them themselves. Each is calibrated by a function
 * that begins with an instruction of its class.
 */
enum scope_class {
	SCOPE_CLASS_STEPPED,  /* whatever is in none of the others: single-stepped out of line */
	SCOPE_CLASS_EMULATED, /* branches */
	SCOPE_CLASS_ADDRESS,  /* pc-relative addresses: adr, adrp, lea of rip */
	SCOPE_CLASS_NOP,
	SCOPE_CLASS_LANDING, /* where indirect branches may lead: endbr64, bti, paciasp */
	SCOPE_CLASS_PUSH,    /* push of a register; stp of x29 and x30 */
	SCOPE_CLASS_STACK,   /* sub from the stack pointer */
	SCOPE_CLASS_KERNEL,  /* whatever a function of the kernel begins with */
	SCOPE_CLASSES
};

struct scope_site {
	uint64_t offset;    /* in the file; SCOPE_KERNEL: bytes after the symbol */
	uint64_t semaphore; /* file offset of a USDT marker's reference counter, 0: none */
	/*
	 * The first instruction cannot be probed, so that the probe is after so many, which do
	 * not touch the stack: their count is added to the call's.
	 */
	unsigned skipped;
	enum scope_class first; /* class of the instruction that is probed */
};

struct scope_target {
	char *name;
	enum scope_kind kind;
	char *file;       /* the ELF file, absolute; NULL: the kernel */
	char *symbol;     /* as it is called there, for messages; kernel: the function */
	uint64_t address; /* of the begin, as linked; 0: unknown */
	bool pie;         /* loaded anywhere: addresses are relative */
	struct scope_site begin;
	struct scope_site *more; /* SCOPE_MARKERS: the other places where it begins */
	size_t n_more;
	bool at_return; /* it ends where the function returns; ends are its ret instructions */
	struct scope_site *ends; /* one for SCOPE_RANGE */
	size_t n_ends;
	char *tail_call; /* a tail call leaves the function: to where, for messages; NULL: none */
};

/*
 * Finds SPEC in PROGRAM, a path that execve(2) would take, or in the libraries that it needs.
 * 0 or -errno with a message that says what to do:
 *   -ENOENT   no such function (with the nearest names), file, marker; stripped; inlined
 *   -ENOTUNIQ several local functions have the name: they are listed, with how to choose one
 *   -EINVAL   not on an instruction boundary, or what is there cannot be probed
 *   -EACCES   the file cannot be read
 *   -ENOTSUP  a script, another architecture, not ELF
 *   -ENOMEM
 */
int scope_target_find(struct scope_target *target, const struct scope_spec *spec,
		      const char *program, char *err, size_t err_size);
void scope_target_release(struct scope_target *target);

#endif
