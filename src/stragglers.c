/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Waiting for children with a limit, and the end of those that do not end.
 */
#include "stragglers.h"

#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <sys/wait.h>
#include <time.h>

#include "children.h"
#include "flight.h"
#include "monotonic.h"

#define SLICE_NS 100000000u
#define KILL_SLICE_NS 5000000u
#define KILL_LIMIT_NS 10000000000u

static uint64_t timeval_ns(struct timeval tv)
{
	return (uint64_t)tv.tv_sec * 1000000000 + (uint64_t)tv.tv_usec * 1000;
}

void usage_merge(struct run_usage *sum, const struct run_usage *more)
{
	sum->user_ns += more->user_ns;
	sum->system_ns += more->system_ns;
	sum->minor_faults += more->minor_faults;
	sum->major_faults += more->major_faults;
	sum->voluntary_switches += more->voluntary_switches;
	sum->involuntary_switches += more->involuntary_switches;
	sum->block_reads += more->block_reads;
	sum->block_writes += more->block_writes;
	if (sum->max_rss < more->max_rss)
		sum->max_rss = more->max_rss;
}

void usage_add(struct run_usage *sum, const struct rusage *ru)
{
	const struct run_usage more = {
	    .user_ns = timeval_ns(ru->ru_utime),
	    .system_ns = timeval_ns(ru->ru_stime),
	    .max_rss = (uint64_t)ru->ru_maxrss * 1024,
	    .minor_faults = (uint64_t)ru->ru_minflt,
	    .major_faults = (uint64_t)ru->ru_majflt,
	    .voluntary_switches = (uint64_t)ru->ru_nvcsw,
	    .involuntary_switches = (uint64_t)ru->ru_nivcsw,
	    .block_reads = (uint64_t)ru->ru_inblock,
	    .block_writes = (uint64_t)ru->ru_oublock,
	};

	usage_merge(sum, &more);
}

int stragglers_reap(struct reaped *r)
{
	struct rusage ru;
	pid_t pid;

	while ((pid = wait4(-1, NULL, WNOHANG, &ru)) > 0) {
		r->n++;
		usage_add(&r->usage, &ru);
	}
	if (pid == 0)
		return 1;
	return errno == ECHILD ? 0 : -errno;
}

/* SIGCHLD is blocked: one that came since the last look ends the wait at once. */
static void wait_for_child(uint64_t ns)
{
	const struct timespec ts = {.tv_nsec = (long)ns};
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGCHLD);
	sigtimedwait(&set, NULL, &ts);
}

/* Returns as stragglers_reap(). */
static int wait_for_all(uint64_t grace_ns, struct reaped *ended)
{
	uint64_t start = monotonic_ns();
	int living;

	while ((living = stragglers_reap(ended)) > 0) {
		uint64_t passed = monotonic_ns() - start;
		uint64_t left = passed < grace_ns ? grace_ns - passed : 0;

		if (left == 0 || flight_interrupted() || flight_timed_out())
			break;
		wait_for_child(left < SLICE_NS ? left : SLICE_NS);
	}
	return living;
}

static int kill_all(struct reaped *killed)
{
	uint64_t start = monotonic_ns();
	int living;

	for (;;) {
		int rc = children_kill();

		wait_for_child(KILL_SLICE_NS);
		living = stragglers_reap(killed);
		if (living <= 0)
			return living;
		if (monotonic_ns() - start > KILL_LIMIT_NS)
			return rc < 0 ? rc : -EBUSY;
	}
}

int stragglers_end(uint64_t grace_ns, struct reaped *ended, struct reaped *killed)
{
	sigset_t child, old;
	int rc;

	sigemptyset(&child);
	sigaddset(&child, SIGCHLD);
	sigprocmask(SIG_BLOCK, &child, &old);
	rc = wait_for_all(grace_ns, ended);
	if (rc > 0)
		rc = kill_all(killed);
	sigprocmask(SIG_SETMASK, &old, NULL);
	return rc;
}
