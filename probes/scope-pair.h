/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Pairs samples into calls: pure, one sample at a time, in order of time.
 *
 *   samples of probes and context switches → a stack of open calls a thread → calls with a cost
 *
 * Each sample carries the values of all members of the group as the thread has them on that CPU:
 * counters, context switches, and how often each probe was hit. The hits are sequence numbers:
 * where one is missing its sample was lost, and no call is paired across that. Calls are paired by
 * the stack pointer, never by order, so that calls which do not return do not disturb others.
 */
#ifndef ABSTAT_SCOPE_PAIR_H
#define ABSTAT_SCOPE_PAIR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* A call's end is told from other calls' ends by... */
enum pair_match {
	PAIR_BY_STACK, /* the stack pointer: a function's, which differs by END_DELTA */
	PAIR_NEAREST,  /* the nearest stack pointer: the end of a range in the same function */
	PAIR_LAST,     /* nothing: markers pair like parentheses, wherever they are */
};

struct pair_scope {
	enum pair_match match;
	uint64_t end_delta; /* stack pointer at the end minus that at the entry */
	bool kernel;        /* the stack pointers are the kernel's */
	unsigned row;       /* of scope_config.constants: what probing it costs */
	unsigned depth;     /* calls at once whose return the kernel can see; 0: any number */
};

struct pair_probe {
	unsigned scope;
	bool end;
};

#define PAIR_NO_MEMBER SIZE_MAX

/* What the samples' values are. Arrays are borrowed. */
struct pair_layout {
	const struct pair_scope *scopes;
	size_t n_scopes;
	const struct pair_probe *probes;
	size_t n_probes;
	size_t n_members;
	size_t first_probe; /* the member of probe 0; those of the others follow */
	size_t switches;    /* the member that counts context switches */
	/* The members that are costs, or PAIR_NO_MEMBER; time is one more cost, and the last. */
	const size_t *cost_members;
	size_t n_cost_members;
	size_t n_rows; /* of constants */
};

#define PAIR_SWITCH (-1)

struct pair_sample {
	pid_t tid;
	unsigned cpu;    /* of the group that the values are of; 0 where one follows the thread */
	unsigned ran_on; /* the CPU that the thread was on */
	uint64_t time;
	int probe; /* or PAIR_SWITCH */
	uint64_t sp;
	const uint64_t *values; /* n_members */
};

/* A call that returned. Costs are raw: what probing added is in them. */
struct pair_call {
	unsigned scope;
	unsigned cpu;           /* that it ended on */
	bool interrupted;       /* by a context switch or a migration */
	const uint64_t *cost;   /* n_cost_members + 1 */
	const uint64_t *child;  /* likewise: the sum of the calls directly in it */
	const uint64_t *kids;   /* [row]: so many calls were directly in it... */
	const uint64_t *deeper; /* ...and so many in those */
};

/* A sum over some calls. */
struct pair_sum {
	unsigned cpu; /* that they ended on; of calls in one that never ended, the last */
	const uint64_t *cost;
	const uint64_t *calls;  /* [row]: so many calls... */
	const uint64_t *nested; /* ...and so many in those, at any depth */
};

/*
 * Where calls go. A call of a scope within another of the same scope is in the outer one's cost
 * already; the inner ones come to TOTAL only where the outer one does not return. OUTERMOST
 * likewise for calls within any others.
 */
struct pair_sink {
	void *context;
	void (*call)(void *context, const struct pair_call *call);
	void (*total)(void *context, unsigned scope, const struct pair_sum *sum);
	void (*outermost)(void *context, const struct pair_sum *sum);
};

/* What happened to one scope's samples. */
struct pair_count {
	uint64_t begins;      /* samples of it */
	uint64_t ends;        /* likewise */
	uint64_t paired;      /* calls with a cost */
	uint64_t interrupted; /* of those */
	uint64_t orphans;     /* ends without a begin */
	uint64_t unreturned;  /* begins without an end, while no sample was missing */
	uint64_t missed;      /* likewise, deeper than the kernel can see */
	uint64_t open;        /* likewise, when their thread or the run ended */
	uint64_t gaps;        /* hits whose samples are missing */
	uint64_t voided;      /* begins that were given up because of that */
};

struct pairing;

/* Both are borrowed. NULL: no memory. */
struct pairing *pairing_new(const struct pair_layout *layout, const struct pair_sink *sink);
void pairing_free(struct pairing *p);

/* 0, or -ENOMEM: the sample was not taken. */
int pairing_sample(struct pairing *p, const struct pair_sample *sample);

/* The thread executes another program, or ends: its open calls never return. */
void pairing_exec(struct pairing *p, pid_t tid);
void pairing_exit(struct pairing *p, pid_t tid);

/* The run is over: likewise for all threads. */
void pairing_finish(struct pairing *p);

/* One a scope, since the start or the last reset; and forgetting all of it. */
const struct pair_count *pairing_counts(const struct pairing *p);
void pairing_reset(struct pairing *p);

#endif
