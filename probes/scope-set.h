/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Counters attributed to scopes.
 *
 *   targets → probes (definitions in tracefs) → one group a CPU: counters, then the probes
 *           → ring buffers → samples in order of time → calls, paired → a result a run
 *
 * A set is opened by the process that spawns the runs, as counters are. A thread of it drains the
 * ring buffers while a run goes on, so that memory does not grow with the number of calls.
 */
#ifndef ABSTAT_SCOPE_SET_H
#define ABSTAT_SCOPE_SET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "region-set.h"
#include "scope-target.h"

struct event;
struct scope_set;

/* What probing adds to a counter, measured on this machine by functions of known cost. */
struct scope_constant {
	double inside; /* what a call reads beyond its own cost */
	double inside_se;
	double around; /* what it adds, beyond its own cost, to a scope that it is nested in */
	double around_se;
	bool known; /* false: not measured, and the others are 0, so that nothing is subtracted */
};

/* How the end of a scope is probed. */
enum scope_ending {
	/*
	 * Probes on its return instructions. What it returns to is not touched, so that exceptions
	 * and unwinders see the stack as it is.
	 */
	SCOPE_ENDING_SITES,
	SCOPE_ENDING_PLACE, /* on whatever stands at the end of a range, or of markers */
	/*
	 * The kernel replaces the return address: for kernel functions, and where a function is
	 * left by tail calls or its return instructions are not known. An exception thrown through
	 * such a frame ends the program (the unwinder does not know the replaced address), and so
	 * does a switch between stacks within the function.
	 */
	SCOPE_ENDING_RETURN,
	SCOPE_ENDINGS
};

struct scope_config {
	const struct scope_target *targets;
	size_t n_targets;
	/*
	 * Of one PMU and software; a first hardware event is pinned. What cannot be in the group
	 * has an error in SLOT_ERRORS.
	 */
	const struct event *const *events;
	size_t n_events;
	const bool *scoped; /* [n_events]: false: only of the whole; NULL: all are scoped */
	/*
	 * [target × n_costs]; NULL: nothing is subtracted. n_costs is n_events + 1: the last is
	 * time.
	 */
	const struct scope_constant *constants;
	/* That the runs may use; NULL: those of the calling process. A spawner fills them in. */
	const int *cpus;
	size_t n_cpus;
	/* Whose calls are counted apart, too; none where n_told is 0. */
	const int *told;
	size_t n_told;
};

/*
 * What happened to the calls of one scope in one run:
 * calls = measured + lost + not_counted + unfollowed + unreturned + missed.
 */
struct scope_calls {
	uint64_t calls;       /* entries, by a probe that only counts */
	uint64_t measured;    /* calls with a cost */
	uint64_t lost;        /* their samples did not fit the ring buffer */
	uint64_t not_counted; /* no hardware counter was free while they ran */
	uint64_t unfollowed;  /* in threads or processes that this kernel cannot follow */
	uint64_t unreturned;  /* never returned, or by longjmp, an exception, the end of the run */
	uint64_t interrupted; /* of those measured: a context switch or a migration came between */
	uint64_t missed; /* returns that the kernel had no slot for: sleepers, deep recursion */
};

/* The cost of one scope's measured calls in one counter, or in time (ns). */
struct scope_cost {
	double total;       /* inclusive; recursion counted once */
	double self;        /* without what other scopes nested in it cost */
	double p50, p99;    /* of the calls, inclusive; within 0.1 %, exact below 2048 */
	double overhead;    /* what was subtracted from total, and... */
	double overhead_se; /* ...its standard error; NAN: a probe's part is not known, and is in */
};

/* How the kernel was told of the probes. */
enum scope_engine {
	SCOPE_ENGINE_TRACEFS,     /* defined in tracefs */
	SCOPE_ENGINE_PMU,         /* events of the uprobe and kprobe PMUs */
	SCOPE_ENGINE_BREAKPOINTS, /* execute breakpoints of the processor */
	SCOPE_ENGINE_NONE,        /* there are none: all scopes are marked regions */
};

/*
 * One run. costs[scope × n_costs + cost]; the last cost is wall-clock time (ns), the others are raw
 * counts: an event's scale is not applied. Costs of an event that is not in the group are NAN, and
 * percentiles are where no call was measured. whole[cost] is the whole run's, probes included, and
 * its time is that from the set's begin to its end; outermost[cost] is the sum over calls that are
 * in no other scope, so that the rest of the run is whole - outermost - the overhead that probing
 * it added.
 */
struct scope_result {
	struct scope_calls *calls;
	struct scope_cost *costs;
	double *whole;
	double *outermost;
	double *overhead; /* [cost]: all that probing added to the whole, as calibrated */
	/*
	 * [told × scope]: of the calls with a cost those that ended on that CPU, and [× cost] what
	 * they cost, inclusive, recursion counted once. A call that migrated is of its last CPU.
	 */
	uint64_t *cpu_calls;
	double *cpu_totals;
	bool *counted; /* [cost]: it had its counter all the time; else whole is no value */
	bool followed; /* every thread and process of the run was; else likewise */
	enum scope_engine engine;
	bool inherited; /* the kernel can follow threads and processes that start during the run */
	uint64_t throttled;              /* times that the kernel throttled a probe */
	struct region_programs programs; /* where there are regions */
};

/* How the end of TARGET is probed, which tells what probing it costs. */
enum scope_ending scope_ending_of(const struct scope_target *target);

/* Whether TARGET is one that programs count by themselves, so that nothing is probed. */
bool scope_is_region(const struct scope_target *target);

/* The number of costs of a set: its events, and time. */
size_t scope_costs(const struct scope_config *config);

/* The bytes that the arrays of a result take, and giving RESULT so many at MEMORY, zeroed. */
size_t scope_result_size(const struct scope_config *config);
void scope_result_place(struct scope_result *result, const struct scope_config *config,
			void *memory);

/*
 * Opens the set in the calling process, which will spawn the runs, and starts the draining thread.
 * SLOT_ERRORS receives 0 or an errno for each event. Returns 0, or -errno with a message in ERR.
 */
int scope_set_open(struct scope_set **set, const struct scope_config *config, int *slot_errors,
		   char *err, size_t err_size);

/*
 * Whether the set must be told of each run's process before it executes: on kernels that cannot
 * sample inherited groups (before 6.12). The process is spawned stopped before its exec then.
 */
bool scope_set_needs_pid(const struct scope_set *set);

/*
 * Whether it must be told of that process where it is stopped at its exec instead, by scope_stop_*:
 * where breakpoints are set, whose addresses are known only then. scope_set_needs_pid is true, too.
 * Then its libraries are waited for, and its threads followed, by scope-follow.h.
 */
bool scope_set_needs_exec(const struct scope_set *set);

/*
 * What the runs must have in their environment, "NAME=VALUE", or NULL: nothing. Of the set.
 */
const char *scope_set_variable(const struct scope_set *set);

/* Arms the set for a run; PID is that process, or 0 where it is not needed. 0 or -errno with a
 * message. */
int scope_set_begin(struct scope_set *set, pid_t pid, char *err, size_t err_size);

/* After the run's last process: drains what is left and gives RESULT, whose arrays the caller owns.
 */
int scope_set_end(struct scope_set *set, struct scope_result *result, char *err, size_t err_size);

/* Closes everything and removes the definitions. */
void scope_set_free(struct scope_set *set);

#endif
