/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Breakpoints in libraries. The dynamic linker is let run from one system call to the next, until
 * it has mapped all that scopes are in: then none of that has run yet, not even what initialises a
 * library. What the linker executes is counted all the while.
 */
#include <errno.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/stat.h>

#include "error-text.h"
#include "file-text.h"
#include "scope-breakpoint.h"
#include "scope-follow.h"
#include "scope-mapping.h"
#include "scope-parts.h"
#include "scope-stop.h"

/* The file of the dynamic linker, which PID is about to run. False: the program has none. */
static bool find_linker(pid_t pid, struct stat *linker)
{
	char *maps = file_text("/proc/%ld/maps", (long)pid), exe[64];
	struct stat program;
	uint64_t address;
	bool found;

	snprintf(exe, sizeof(exe), "/proc/%ld/exe", (long)pid);
	found = maps && !scope_stop_address(pid, &address) && !stat(exe, &program) &&
		!mapping_is_of(maps, address, &program) && mapping_file(maps, address, linker);
	free(maps);
	return found;
}

/* Whether it is still the linker that makes system calls. */
static bool is_linking(pid_t pid, uint64_t address, const struct stat *linker)
{
	char *maps = file_text("/proc/%ld/maps", (long)pid);
	bool is = maps && mapping_is_of(maps, address, linker);

	free(maps);
	return is;
}

/* Those that are at their addresses already are moved to where they are. */
static int set_breakpoints(const struct scope_set *set)
{
	for (size_t i = set->plan.first_probe; i < set->plan.n; i++)
		if (ioctl(set->groups[0].fds[i], PERF_EVENT_IOC_MODIFY_ATTRIBUTES,
			  &set->plan.members[i].attr))
			return -errno;
	return 0;
}

int scope_set_load(struct scope_set *set, pid_t pid, char *err, size_t err_size)
{
	struct stat linker;
	uint64_t address = 0;
	bool linking;
	int rc;

	if (!set->unplaced)
		return 0;
	linking = find_linker(pid, &linker);
	do {
		rc = linking ? scope_stop_system_call(pid, &address) : 0;
		/* It ended: who waits for it sees why. */
		if (rc == -ECHILD)
			return 0;
		rc =
		    rc ? error_text(rc, "cannot watch the program being loaded", err, err_size)
		       : scope_place_breakpoints(&set->definitions, &set->plan, pid, err, err_size);
		linking = linking && is_linking(pid, address, &linker);
	} while (rc == -ENOENT && linking);
	if (rc)
		return rc;
	rc = set_breakpoints(set);
	return rc ? error_text(rc, "cannot set execute breakpoints in a library", err, err_size)
		  : 0;
}

int scope_set_reload(struct scope_set *set, pid_t pid)
{
	char err[256];
	int rc = scope_place_breakpoints(&set->definitions, &set->plan, pid, err, sizeof(err));

	set->unplaced = rc == -ENOENT;
	if (rc && !set->unplaced)
		return rc;
	/* Those that have no place yet are taken off, too. */
	rc = set_breakpoints(set);
	return rc ? rc : scope_set_load(set, pid, err, sizeof(err));
}
