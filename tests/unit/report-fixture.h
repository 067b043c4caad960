/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reports built by hand, for the tests of what prints them. */
#ifndef ABSTAT_TESTS_REPORT_FIXTURE_H
#define ABSTAT_TESTS_REPORT_FIXTURE_H

#include "record.h"
#include "report.h"

struct fixture {
	struct record record;
	struct report report;
};

typedef void fixture_fn(struct fixture *f);

/* perf stat's default set with hardware counters, scaled counts, an upper bound, notes, warnings.
 */
fixture_fn fixture_stat;
/* No PMU: events not supported, not permitted and not counted; one run of some. */
fixture_fn fixture_stat_without_pmu;
/* Two variants, a row for every kind of verdict and method. */
fixture_fn fixture_compare;
/* Three named variants against the first, with a gate. */
fixture_fn fixture_compare_named;
/* Published summaries: Welch alone, not interleaved. */
fixture_fn fixture_diff;
/* Names that try to drive a terminal, break a table, end a quote. */
fixture_fn fixture_hostile;
/* Nothing was measured: interrupted before the first run ended. */
fixture_fn fixture_empty;

void fixture_release(struct fixture *f);

#endif
