/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * simrules.h - when other tools say that two samples differ, by what they publish.
 *
 * For comparison in the simulation only.
 */
#ifndef ABSTAT_TESTS_SIMRULES_H
#define ABSTAT_TESTS_SIMRULES_H

#include <stdbool.h>
#include <stddef.h>

struct sim_rule {
	const char *name;
	const char *what;
	bool (*differ)(const double *a, const double *b, size_t n);
};

/* The first is ours, with n fixed. */
extern const struct sim_rule sim_rules[];
extern const size_t sim_rule_count;

#endif
