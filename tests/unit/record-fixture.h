/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Records made up in memory, for the tests of what analyses them. */
#ifndef ABSTAT_TESTS_RECORD_FIXTURE_H
#define ABSTAT_TESTS_RECORD_FIXTURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "options.h"
#include "record.h"
#include "report.h"

/* An empty record of variants "A", "B", ..., run in random blocks to a plan of exactly N. */
void made_init(struct record *r, size_t n_variants);

/* Appends a metric; EVENT NULL: as NAME. Before the first run. */
struct metric *made_metric(struct record *r, const char *name, const char *event, const char *unit,
			   enum direction direction);

/* Appends a run whose metrics have the VALUES; NaN: null for reason not counted. Returns it. */
struct record_run *made_run(struct record *r, uint32_t block, size_t variant, const double *values);

/* A number of a fixed sequence, standard normal. */
double made_normal(uint64_t *state);

/*
 * N blocks of all variants, metrics all alike: 1000 × (1 + SD × noise) × EFFECT of the variant, in
 * random order; then the plan is that of -r N.
 */
void made_blocks(struct record *r, uint32_t n, double sd, const double *effect, uint64_t seed);

/* N blocks of one metric in which B is EFFECT times A. */
void made_two(struct record *r, uint32_t n, double sd, double effect, enum direction direction);

/* N blocks with the values A and B of the one metric. */
void made_pairs(struct record *r, const double *a, const double *b, uint32_t n);

/* The whole analysis of R; fails the test where there is none. */
void made_report(struct report *report, const struct record *r, const struct judge_options *judge);

/* What it says of the first metric of B against A. */
struct report_change made_change(const struct record *r, const struct judge_options *judge);

/* The exit status of its gate, and each comparison's. */
int made_gate_status(const struct record *r, struct judge_options *judge,
		     enum gate_result *results);

#endif
