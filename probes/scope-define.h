/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Probes on the beginnings and ends of scopes, as events that can be opened.
 *
 * They are defined once in tracefs, under a group named after the process that uses them, and
 * opened as tracepoints: those can be inherited. Where there is no tracefs to be had they are
 * events of the uprobe and kprobe PMUs, which cannot. Definitions that a killed abstat left are
 * removed when the next one defines its own.
 */
#ifndef ABSTAT_SCOPE_DEFINE_H
#define ABSTAT_SCOPE_DEFINE_H

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "scope-target.h"

struct scope_probe {
	unsigned scope;
	bool end;
	struct perf_event_attr attr; /* type and config* only */
};

struct scope_definitions {
	const struct scope_target *targets;
	size_t n_targets;
	int tracefs; /* directory, or -1: those of a PMU, which cannot be inherited */
	char group[48];
	bool breakpoints; /* of the processor: of one process, once that is at its execution */
	struct scope_probe *probes; /* sorted by scope; beginnings before ends */
	size_t n_probes;
};

/*
 * Defines the probes of TARGETS, which are borrowed. Returns 0, or -errno with a message in ERR
 * that names the scope and says what to do; then nothing is left defined.
 */
int scope_define(struct scope_definitions *d, const struct scope_target *targets, size_t n_targets,
		 char *err, size_t err_size);

/*
 * Removes them. Their events must have been closed. What cannot be removed is left for the next
 * abstat.
 */
void scope_undefine(struct scope_definitions *d);

/*
 * MISSED [n_targets]: how many returns of each scope that is a function of the kernel were missed since
 * it was defined; of others 0.
 */
void scope_missed(const struct scope_definitions *d, uint64_t *missed);

#endif
