/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Functions of known length, whose calls are measured to learn what probing adds.
 *
 * They are in abstat itself, which executes itself to call them: so they are there without another
 * file, wherever abstat is.
 */
#ifndef ABSTAT_SCOPE_STUBS_H
#define ABSTAT_SCOPE_STUBS_H

#include <stdint.h>

#include "scope-set.h"

/* What a class has: each begins with an instruction of it. */
enum scope_stub {
	STUB_SHORT,  /* nothing but that, and what it needs */
	STUB_LONG,   /* SCOPE_STUB_MORE instructions more */
	STUB_NESTED, /* calls STUB_SHORT SCOPE_STUB_CALLS times */
	STUB_ALONE,  /* the same with a copy of it, which is not probed */
	SCOPE_STUBS
};

enum { SCOPE_STUB_MORE = 64, SCOPE_STUB_CALLS = 8 };

/* The first argument with which abstat executes itself. */
#define SCOPE_STUBS_ARGUMENT "--call-stubs-of-scopes"

/*
 * The program: calls each of the stubs that the arguments name ROUNDS times, in turns.
 * ARGV is the program, SCOPE_STUBS_ARGUMENT, ROUNDS, then "CLASS:STUB:ENDING", ... Returns the
 * exit status.
 */
int scope_stubs_main(int argc, char **argv);

/*
 * A target that is a stub of FIRST, probed as ENDING says, in the executable that this process
 * runs. 0 or -errno: this machine has none, or the file is not to be found any more.
 */
int scope_stub_target(struct scope_target *target, enum scope_class first, enum scope_stub stub,
		      enum scope_ending ending);

/* The instructions of STUB_SHORT, a return included. */
unsigned scope_stub_length(enum scope_class first);

/* A function that is probed, and never called: number I, or -ENOENT where there are no more. */
int scope_stub_idle(struct scope_target *target, unsigned i);

#endif
