/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Opening and reading what a set of scopes counts with.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "counter-open.h"
#include "machine.h"
#include "scope-parts.h"

#define LEAST_USER_RING_SIZE ((size_t)1 << 14)

int scope_set_find_cpus(struct scope_set *set)
{
	const struct scope_config *c = set->config;

	if (!c->cpus)
		return machine_own_cpus(&set->cpus, &set->n_cpus);
	set->cpus = calloc(c->n_cpus, sizeof(*set->cpus));
	if (!set->cpus)
		return -ENOMEM;
	memcpy(set->cpus, c->cpus, c->n_cpus * sizeof(*set->cpus));
	set->n_cpus = c->n_cpus;
	return 0;
}

/*
 * Events that are not in the group: how long the run's threads run, with inheritance and without,
 * and how often each scope begins, which no lack of counters or of room in a ring can hide. The one
 * without inheritance is also what keeps the kernel from taking the contexts of this process and of
 * its children for clones of each other.
 */
static int open_beside(struct scope_set *set, pid_t pid)
{
	struct perf_event_attr dummy = {
	    .type = PERF_TYPE_SOFTWARE,
	    .config = PERF_COUNT_SW_DUMMY,
	    .exclude_kernel = 1,
	    .exclude_hv = 1,
	};
	const struct scope_definitions *d = &set->definitions;

	set->own = scope_count_open(&dummy, pid, false, !d->breakpoints);
	if (set->own < 0)
		return set->own;
	set->reference = scope_count_open(&dummy, pid, true, !d->breakpoints);
	if (set->reference < 0)
		return set->reference;
	/* Breakpoints are too few for any that only counts: calls are those that the group saw. */
	for (size_t i = 0; i < d->n_probes && !d->breakpoints; i++) {
		const struct scope_probe *probe = &d->probes[i];

		if (probe->end)
			continue;
		set->calls[probe->scope] =
		    scope_count_open(&probe->attr, pid, d->tracefs >= 0, true);
		if (set->calls[probe->scope] < 0)
			return set->calls[probe->scope];
		if (set->plan.inherit)
			continue;
		set->first[probe->scope] = scope_count_open(&probe->attr, pid, false, true);
		if (set->first[probe->scope] < 0)
			return set->first[probe->scope];
	}
	return 0;
}

/* One without its counters, or without power: what runs there is not counted. */
static bool is_absent(int error)
{
	return error == -ENODEV || error == -ENOENT || error == -ENXIO;
}

int scope_group_open_small(struct scope_group *group, struct group_plan *plan, pid_t pid)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	int rc = scope_group_open(group, plan, pid, -1);

	while (rc == -EPERM && plan->ring_size > LEAST_USER_RING_SIZE && plan->ring_size > page) {
		plan->ring_size /= 2;
		rc = scope_group_open(group, plan, pid, -1);
	}
	return rc;
}

static int open_group(struct scope_set *set, pid_t pid, int cpu)
{
	struct scope_group *group = &set->groups[set->n_groups];

	if (set->definitions.breakpoints)
		return scope_group_open_small(group, &set->plan, pid);
	return scope_group_open(group, &set->plan, pid, cpu);
}

static int open_groups(struct scope_set *set, pid_t pid)
{
	size_t n = set->plan.inherit ? set->n_cpus : 1;
	int rc = 0;

	set->groups = calloc(n, sizeof(*set->groups));
	if (!set->groups)
		return -ENOMEM;
	for (size_t i = 0; i < n && !rc; i++) {
		rc = open_group(set, pid, set->plan.inherit ? set->cpus[i] : -1);
		if (!rc)
			set->n_groups++;
		else if (is_absent(rc) && set->n_groups)
			rc = 0;
	}
	return rc;
}

static void close_fd(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

void scope_set_close_events(struct scope_set *set)
{
	if (set->drain)
		drain_detach(set->drain);
	scope_follow_none(set);
	for (size_t i = 0; i < set->n_groups; i++)
		scope_group_close(&set->groups[i]);
	free(set->groups);
	set->groups = NULL;
	set->n_groups = 0;
	close_fd(&set->own);
	close_fd(&set->reference);
	for (size_t i = 0; i < set->config->n_targets; i++) {
		if (set->calls)
			close_fd(&set->calls[i]);
		if (set->first)
			close_fd(&set->first[i]);
	}
}

int scope_set_open_events(struct scope_set *set, pid_t pid, char *err, size_t err_size)
{
	int rc = open_beside(set, pid);
	bool locked = true;

	if (!rc) {
		rc = open_groups(set, pid);
		/* Such events were permitted in the plan's trial: to lock their rings is not. */
		locked = rc != -EPERM;
	}
	rc = rc ? rc
		: drain_attach(set->drain, set->groups, set->n_groups, &set->plan, set->pairing);
	if (!rc)
		return 0;
	scope_set_close_events(set);
	if (locked)
		return group_cannot_open("the scopes", rc, err, err_size);
	snprintf(err, err_size,
		 "cannot probe the scopes: the %zu KiB of a ring buffer for samples are more than this "
		 "user may lock now: raise /proc/sys/kernel/perf_event_mlock_kb or 'ulimit -l', or run "
		 "as root",
		 set->plan.ring_size >> 10);
	return rc;
}

static int read_running(int fd, uint64_t *ns)
{
	struct counter_reading reading = {0};
	int rc = counter_read_one(fd, &reading);

	*ns = reading.running;
	return rc < 0 ? rc : 0;
}

static int read_count(int fd, uint64_t *n)
{
	struct counter_reading reading = {0};
	int rc = fd < 0 ? 0 : counter_read_one(fd, &reading);

	*n = reading.value;
	return rc < 0 ? rc : 0;
}

int scope_set_add(struct scope_set *set, const struct scope_group *group, bool own,
		  struct scope_reading *r)
{
	uint64_t enabled, running;
	int rc = scope_group_read(group, &enabled, &running, set->scratch);

	if (rc)
		return rc;
	for (size_t i = 0; i < set->plan.n; i++)
		r->values[i] += set->scratch[i];
	r->running += running;
	r->own += own ? enabled : 0;
	return 0;
}

int scope_set_read(struct scope_set *set, struct scope_reading *r)
{
	struct timespec ts;
	int rc = read_running(set->reference, &r->reference);

	rc = rc ? rc : read_running(set->own, &r->own);
	memset(r->values, 0, set->plan.n * sizeof(*r->values));
	r->running = 0;
	for (size_t g = 0; g < set->n_groups && !rc; g++)
		rc = scope_set_add(set, &set->groups[g], false, r);
	rc = rc ? rc : scope_follow_read(set, r);
	for (size_t i = 0; i < set->config->n_targets && !rc; i++) {
		rc = read_count(set->calls[i], &r->calls[i]);
		rc = rc ? rc : read_count(set->first[i], &r->first[i]);
	}
	scope_missed(&set->definitions, r->missed);
	clock_gettime(CLOCK_MONOTONIC, &ts);
	r->time = (uint64_t)ts.tv_sec * 1000000000 + (uint64_t)ts.tv_nsec;
	return rc;
}
