/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The CPUs whose calls are told apart: -A. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "machine.h"
#include "scopes.h"
#include "spawner.h"

static int compare_ints(const void *a, const void *b)
{
	int x = *(const int *)a, y = *(const int *)b;

	return (x > y) - (x < y);
}

static int copy_cpus(struct scopes *s, const int *cpus, size_t n)
{
	s->cpus = calloc(n, sizeof(*s->cpus));
	if (!s->cpus)
		return -1;
	memcpy(s->cpus, cpus, n * sizeof(*cpus));
	s->n_cpus = n;
	qsort(s->cpus, n, sizeof(*cpus), compare_ints);
	return 0;
}

int scopes_list_cpus(struct scopes *s, const struct event_options *events,
		     const struct run_config *run, char *err, size_t err_size)
{
	if (!events->per_cpu || events->system_wide)
		return 0;
	if (!s->n) {
		snprintf(
		    err, err_size,
		    "-A gives a row a CPU, to what is counted on all of them or to scopes: add -a, "
		    "-C LIST or --scope");
		return STATUS_USAGE;
	}
	for (size_t i = 0; i < s->n; i++) {
		if (s->specs[i].kind != SCOPE_REGION)
			continue;
		snprintf(
		    err, err_size,
		    "-A: the region '%s' is counted by the programs that mark it, which do not say "
		    "on which CPU: leave out -A, or scope a function",
		    s->specs[i].text);
		return STATUS_USAGE;
	}
	if (run->cpus ? copy_cpus(s, run->cpus, run->n_cpus)
		      : machine_own_cpus(&s->cpus, &s->n_cpus)) {
		snprintf(err, err_size, "cannot read which CPUs runs may use");
		return STATUS_CANNOT_MEASURE;
	}
	return 0;
}
