/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Forecasting: how many runs it takes to see an effect, from runs that were made already.
 *
 * How much runs vary comes from what is recorded: of two variants or more, from the comparison with
 * the first (of several, the noisiest); of one variant, from its own spread. A pilot's spread is
 * itself uncertain, so it is inflated until it is too small in one plan of five only (power.h).
 */
#ifndef ABSTAT_FORECAST_H
#define ABSTAT_FORECAST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "power.h"
#include "record.h"

enum spread_source {
	SPREAD_UNKNOWN,  /* see reason */
	SPREAD_INTERVAL, /* the 95 % interval of the change, not adjusted for looks */
	SPREAD_MEANS,    /* standard deviations of both sides, relative to their means */
	SPREAD_VARIANT,  /* that of a single variant */
	SPREAD_NONE,     /* every run has the same value */
};

/* In words, for people; and the token of JSON documents. */
const char *spread_source_text(enum spread_source source);
const char *spread_source_token(enum spread_source source);

struct forecast_metric {
	const char *name, *event, *unit; /* the record's */
	bool primary;
	enum spread_source source;
	size_t baseline,
	    variant;      /* indices of the variants it comes from; the same for SPREAD_VARIANT */
	uint64_t n;       /* runs behind it, of the smaller side */
	double sd;        /* of one run, a fraction: of logarithms for SPREAD_INTERVAL of a ratio */
	double inflation; /* what it is multiplied by; NaN: not known */
	struct run_plan runs; /* all 0: not known, see reason */
	double block_seconds; /* NaN: not known */
	double
	    shown; /* the smallest effect that n runs show with 80 %, a fraction; NaN: not known */
	const char *reason; /* why there is no plan, NULL if there is one */
};

struct forecast {
	const struct record *record;
	double effect, alpha;
	struct forecast_metric *metrics;
	size_t n_metrics;
	size_t primary; /* index into metrics */
};

/*
 * Fills *F from RECORD, which must outlive it. PRIMARY is a metric's name (as counted, or as
 * asked), or NULL: the recorded one, else the first. ALPHA: NaN as recorded, else 0.05. EFFECT is a
 * fraction above 0. Returns 0, -ENOENT (no such metric), -ENODATA (nothing measured) or -ENOMEM
 * with a message in ERR; *F is to be released in any case.
 */
int forecast_make(struct forecast *f, const struct record *record, const char *primary,
		  double effect, double alpha, char *err, size_t err_size);
void forecast_release(struct forecast *f);

/* The closing sentence about the primary metric, malloc'd; NULL if out of memory. */
char *forecast_sentence(const struct forecast *f);

#endif
