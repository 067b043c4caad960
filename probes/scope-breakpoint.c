/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Defining execute breakpoints, and finding their addresses.
 */
#include "scope-breakpoint.h"

#include <errno.h>
#include <linux/hw_breakpoint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "counter-open.h"
#include "file-text.h"
#include "scope-group.h"
#include "scope-mapping.h"
#include "scope-set.h"

/* More than any processor has. */
#define MOST_SLOTS 32

#if defined(__x86_64__)
#define PROCESSOR_HAS " (x86 has 4; a debugger may have taken some)"
#elif defined(__aarch64__)
#define PROCESSOR_HAS " (arm64 mostly has 6; a debugger may have taken some)"
#endif

static bool is_guarded(const struct scope_target *t)
{
	bool is = t->begin.semaphore;

	for (size_t k = 0; k < t->n_more; k++)
		is |= t->more[k].semaphore;
	for (size_t k = 0; k < t->n_ends; k++)
		is |= t->ends[k].semaphore;
	return is;
}

const struct scope_target *scope_breakpoints_guarded(const struct scope_target *targets,
						     size_t n_targets)
{
	for (size_t i = 0; i < n_targets; i++)
		if (is_guarded(&targets[i]))
			return &targets[i];
	return NULL;
}

bool scope_breakpoints_apply(const struct scope_target *targets, size_t n_targets)
{
	for (size_t i = 0; i < n_targets; i++)
		if (targets[i].kind == SCOPE_KERNEL || is_guarded(&targets[i]))
			return false;
	return true;
}

static struct perf_event_attr breakpoint_at(uint64_t address)
{
	return (struct perf_event_attr){
	    .size = sizeof(struct perf_event_attr),
	    .type = PERF_TYPE_BREAKPOINT,
	    .bp_type = HW_BREAKPOINT_X,
	    .bp_addr = address,
	    .bp_len = sizeof(long),
	    .exclude_kernel = 1,
	    .exclude_hv = 1,
	};
}

/* An address that a breakpoint can have; 4 is the alignment of instructions on arm64. */
static uint64_t some_address(void)
{
	return (uintptr_t)scope_breakpoints_apply & ~(uint64_t)3;
}

size_t scope_breakpoints_free(int *error)
{
	struct perf_event_attr attr = breakpoint_at(some_address());
	int fds[MOST_SLOTS];
	size_t n = 0;

	*error = 0;
	attr.disabled = 1;
	while (n < MOST_SLOTS && !*error) {
		int fd = counter_open(&attr, 0, -1, -1);

		if (fd < 0)
			*error = -fd;
		else
			fds[n++] = fd;
	}
	for (size_t i = 0; i < n; i++)
		close(fds[i]);
	return n;
}

static int check_ending(const struct scope_target *t, char *err, size_t err_size)
{
	if (scope_ending_of(t) != SCOPE_ENDING_RETURN)
		return 0;
	if (t->tail_call)
		snprintf(
		    err, err_size,
		    "scope '%s': %s is left by a tail call, to %s, whose return is not at a place "
		    "of its own that an execute breakpoint could be put on",
		    t->name, t->symbol, t->tail_call);
	else if (t->n_ends)
		snprintf(err, err_size,
			 "scope '%s': %s has %zu return instructions, more than there are execute "
			 "breakpoints",
			 t->name, t->symbol, t->n_ends);
	else
		snprintf(
		    err, err_size,
		    "scope '%s': no return instruction of %s is known to put an execute breakpoint "
		    "on, as of a function that never returns",
		    t->name, t->symbol);
	return -ENOTSUP;
}

static int too_many(const struct scope_target *targets, size_t n_targets, size_t sites,
		    size_t slots, char *err, size_t err_size)
{
	const char *separator = "";
	char *list = NULL;
	size_t size;
	FILE *text = open_memstream(&list, &size);

	if (!text)
		return -ENOMEM;
	for (size_t i = 0; i < n_targets; i++) {
		if (scope_is_region(&targets[i]))
			continue;
		fprintf(text, "%s'%s' ", separator, targets[i].name);
		if (targets[i].n_more)
			fprintf(text, "%zu at its begins", 1 + targets[i].n_more);
		else
			fputs("one at its begin", text);
		fprintf(text, " and %zu at its end%s", targets[i].n_ends,
			targets[i].n_ends > 1 ? "s" : "");
		separator = ", ";
	}
	fclose(text);
	snprintf(err, err_size,
		 "the scopes take %zu execute breakpoints (%s), and %zu are free for a process "
		 "here" PROCESSOR_HAS,
		 sites, list ? list : "", slots);
	free(list);
	return -ENOSPC;
}

static int check_slots(const struct scope_target *targets, size_t n_targets, size_t sites,
		       char *err, size_t err_size)
{
	int error;
	size_t slots = scope_breakpoints_free(&error);

	if (sites <= slots)
		return 0;
	if (error != ENOSPC && error != EMFILE) {
		snprintf(err, err_size, "execute breakpoints cannot be had either: %s",
			 strerror(error));
		return -error;
	}
	return too_many(targets, n_targets, sites, slots, err, err_size);
}

static void add_probe(struct scope_definitions *d, size_t scope, bool end)
{
	d->probes[d->n_probes++] = (struct scope_probe){
	    .scope = (unsigned)scope, .end = end, .attr = breakpoint_at(some_address())};
}

int scope_define_breakpoints(struct scope_definitions *d, const struct scope_target *targets,
			     size_t n_targets, char *err, size_t err_size)
{
	size_t sites = 0;
	int rc = 0;

	*d = (struct scope_definitions){
	    .targets = targets, .n_targets = n_targets, .tracefs = -1, .breakpoints = true};
	for (size_t i = 0; i < n_targets && !rc; i++) {
		if (scope_is_region(&targets[i]))
			continue;
		rc = check_ending(&targets[i], err, err_size);
		sites += 1 + targets[i].n_more + targets[i].n_ends;
	}
	rc = rc ? rc : check_slots(targets, n_targets, sites, err, err_size);
	if (rc)
		return rc;
	d->probes = calloc(sites + 1, sizeof(*d->probes));
	if (!d->probes) {
		snprintf(err, err_size, "no memory for the breakpoints");
		return -ENOMEM;
	}
	for (size_t i = 0; i < n_targets; i++) {
		if (scope_is_region(&targets[i]))
			continue;
		for (size_t k = 0; k <= targets[i].n_more; k++)
			add_probe(d, i, false);
		for (size_t k = 0; k < targets[i].n_ends; k++)
			add_probe(d, i, true);
	}
	return 0;
}

static int place_target(const struct scope_definitions *d, struct group_plan *plan, size_t *probe,
			const char *maps, char *err, size_t err_size)
{
	const struct scope_target *t = &d->targets[d->probes[*probe].scope];
	struct stat file;
	int rc = 0;

	if (stat(t->file, &file)) {
		snprintf(err, err_size, "scope '%s': %s: %s", t->name, t->file, strerror(errno));
		return -EIO;
	}
	for (size_t i = 0; i < 1 + t->n_more + t->n_ends; i++) {
		const struct scope_site *site = !i               ? &t->begin
						: i <= t->n_more ? &t->more[i - 1]
								 : &t->ends[i - 1 - t->n_more];
		uint64_t address = mapping_address(maps, &file, site->offset);
		struct perf_event_attr *attr = &plan->members[plan->first_probe + (*probe)++].attr;

		attr->bp_addr = address ? address : some_address();
		attr->disabled = !address;
		if (!address)
			rc = -ENOENT;
	}
	if (rc)
		snprintf(
		    err, err_size,
		    "scope '%s': %s is neither what is executed nor loaded with it, so that no "
		    "execute breakpoint can be set there: run as root, or load it by LD_PRELOAD",
		    t->name, t->file);
	return rc;
}

int scope_place_breakpoints(const struct scope_definitions *d, struct group_plan *plan, pid_t pid,
			    char *err, size_t err_size)
{
	char *maps = file_text("/proc/%ld/maps", (long)pid);
	int rc = 0, one;

	if (!maps) {
		snprintf(
		    err, err_size,
		    "where the program is in memory cannot be read from /proc/PID/maps, so that "
		    "no execute breakpoint can be set");
		return -EACCES;
	}
	for (size_t probe = 0; probe < d->n_probes && (!rc || rc == -ENOENT);) {
		one = place_target(d, plan, &probe, maps, err, err_size);
		rc = one ? one : rc;
	}
	free(maps);
	return rc;
}
