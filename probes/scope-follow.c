/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The threads of a run, followed one by one: each has a group of its own, which is opened where the
 * thread begins, and goes where the thread goes. Inherited groups would be one a CPU, and of a call
 * that is moved from one to another it would not be known what it cost.
 */
#include "scope-follow.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>

#include "scope-parts.h"
#include "scope-stop.h"

/* The more threads there are, the smaller: all rings are in what a user may lock, mostly 8 MiB. */
#define RING_SIZE ((size_t)1 << 18)
enum { FEW_THREADS = 16, MANY_THREADS = 48 };

void scope_follow_reset(struct scope_set *set)
{
	struct scope_following *f = &set->following;

	memset(f->ended.values, 0, set->plan.n * sizeof(*f->ended.values));
	f->ended.running = f->ended.own = 0;
	f->n = 0;
	f->incomplete = false;
}

static int open_thread(struct scope_set *set, struct scope_followed *thread)
{
	struct group_plan plan = set->plan;
	size_t n = set->following.n_now;
	size_t size = n < FEW_THREADS    ? RING_SIZE
		      : n < MANY_THREADS ? RING_SIZE / 4
					 : RING_SIZE / 16;
	int rc;

	if (plan.ring_size > size)
		plan.ring_size = size;
	rc = scope_group_open_small(&thread->group, &plan, thread->tid);
	if (rc)
		return rc;
	rc = drain_add(set->drain, &thread->group);
	if (rc)
		scope_group_close(&thread->group);
	return rc;
}

static void begin_thread(struct scope_set *set, pid_t tid)
{
	struct scope_following *f = &set->following;
	struct scope_followed *thread = calloc(1, sizeof(*thread));

	if (thread)
		thread->tid = tid;
	if (!thread || open_thread(set, thread)) {
		free(thread);
		f->incomplete = true;
		return;
	}
	thread->next = f->threads;
	f->threads = thread;
	f->n++;
	f->n_now++;
}

static void end_thread(struct scope_set *set, struct scope_followed **link)
{
	struct scope_following *f = &set->following;
	struct scope_followed *thread = *link;

	*link = thread->next;
	f->n_now--;
	drain_remove(set->drain, &thread->group);
	if (scope_set_add(set, &thread->group, true, &f->ended))
		f->incomplete = true;
	scope_group_close(&thread->group);
	free(thread);
}

static struct scope_followed **find(struct scope_set *set, pid_t tid)
{
	struct scope_followed **link = &set->following.threads;

	while (*link && (*link)->tid != tid)
		link = &(*link)->next;
	return link;
}

int scope_follow_read(struct scope_set *set, struct scope_reading *r)
{
	const struct scope_following *f = &set->following;
	int rc = 0;

	for (const struct scope_followed *t = f->threads; t && !rc; t = t->next)
		rc = scope_set_add(set, &t->group, true, r);
	for (size_t i = 0; i < set->plan.n; i++)
		r->values[i] += f->ended.values[i];
	r->running += f->ended.running;
	r->own += f->ended.own;
	return rc;
}

void scope_follow_none(struct scope_set *set)
{
	while (set->following.threads)
		end_thread(set, &set->following.threads);
}

static void disable_probes(const struct scope_set *set, const struct scope_group *group)
{
	for (size_t i = set->plan.first_probe; i < group->n; i++)
		ioctl(group->fds[i], PERF_EVENT_IOC_DISABLE, 0);
}

/* Where there was a scope, another program may have anything. Its threads are gone. */
static void leave_program(struct scope_set *set)
{
	for (size_t i = 0; i < set->n_groups; i++)
		disable_probes(set, &set->groups[i]);
	for (const struct scope_followed *t = set->following.threads; t; t = t->next)
		disable_probes(set, &t->group);
	set->following.incomplete = true;
}

/*
 * The program of the scopes may execute itself, and is elsewhere in memory then. Who executes as
 * another thread than the first has a group of its own, and is not followed further.
 */
static void enter_program(struct scope_set *set, const struct scope_stop *stop, pid_t pid)
{
	if (stop->tid != pid || stop->former != pid || scope_set_reload(set, pid))
		leave_program(set);
	scope_stop_continue(stop->tid);
}

int scope_set_follow(struct scope_set *set, pid_t pid, int *signal)
{
	struct scope_followed **thread;
	struct scope_stop stop;
	int rc = scope_stop_next(pid, &stop);

	if (rc)
		return rc;
	thread = find(set, stop.tid);
	switch (stop.kind) {
	case SCOPE_STOP_ENDED:
		return 1;
	case SCOPE_STOP_THREAD:
		if (!*thread)
			begin_thread(set, stop.tid);
		scope_stop_continue(stop.tid);
		break;
	case SCOPE_STOP_GONE:
		if (*thread)
			end_thread(set, thread);
		break;
	case SCOPE_STOP_EXECUTED:
		enter_program(set, &stop, pid);
		break;
	case SCOPE_STOP_JOB:
		*signal = stop.signal;
		break;
	case SCOPE_STOP_FOREIGN:
		set->following.incomplete = true;
		break;
	case SCOPE_STOP_NONE:
		break;
	}
	return 0;
}
