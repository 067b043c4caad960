/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * From the terms between the slashes to an event of that PMU.
 */
#ifndef ABSTAT_PMU_BUILD_H
#define ABSTAT_PMU_BUILD_H

struct event_scan;
struct pmu;
struct pmu_terms;

/*
 * Appends the event of PMU that TERMS describe to scan->found, as NAME unless a term names it. TEXT
 * is the whole as the user wrote it, for messages. Returns 0, -EINVAL with scan->message set, or
 * -ENOMEM.
 */
int pmu_build_event(struct event_scan *scan, const struct pmu *pmu, const struct pmu_terms *terms,
		    const char *text, const char *name);

#endif
