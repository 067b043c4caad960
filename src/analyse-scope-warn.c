/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Warnings about scopes. */
#include "analyse-scope-warn.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyse-scope-doubt.h"
#include "format.h"
#include "record.h"
#include "report.h"

#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))

/* Where probing more than doubles the whole. */
#define HEAVY_PROBING 1.0
/* And where the run is lost in what its probes cost. */
#define DROWNING_PROBING 10.0

/* Calls without a cost, and what to do about each kind. */
struct kind {
	enum scope_part part;
	const char *code, *what, *advice;
};

static const struct kind kinds[] = {
    {PART_LOST, "calls-lost",
     "were lost: the ring buffer was full, or regions were open more than 128 deep",
     "Measure a scope that is called less often, or leave the machine idle otherwise"},
    {PART_NOT_COUNTED, "scope-not-counted", "had no hardware counter while they ran",
     "Another process, or the NMI watchdog, may hold counters; close it, or count fewer events"},
    {PART_NOT_COUNTED, "scope-other-cpus", "were on CPUs that the runs were not to use",
     "The command chooses its CPUs by itself: give abstat the same by --cpus, or none"},
    {PART_UNFOLLOWED, "calls-unfollowed",
     "were in threads or processes that this kernel cannot follow",
     "Linux 6.12 and later follow all"},
    {PART_MISSED, "calls-missed", "have no return, because the kernel had no slot for it",
     "Calls nest deeper, or more of them sleep at a time, than the kernel keeps track of"},
    {PART_UNRETURNED, "calls-unreturned", "did not return, or only by longjmp(3) or an exception",
     "What such calls cost is in the scope around them, or in the rest"},
};

/* Where there are regions only, which have no ring buffer, and other threads than the kernel's. */
static const struct kind region_kinds[] = {
    {PART_LOST, "calls-lost",
     "were lost: regions were open more than 128 deep, or a signal came amid a marker",
     "Mark what recurs less deep, and not what signal handlers do"},
    {PART_NOT_COUNTED, "scope-not-counted", "could not be counted by the program",
     "It closed descriptors that it did not open, forbade itself system calls, or had no "
     "descriptor or right left for the events of a thread; or another process holds the counters"},
    {PART_UNFOLLOWED, "calls-unfollowed",
     "were in threads that could not be followed, or in children of vfork",
     "1024 threads are followed at a time, where they can open memory"},
    {PART_UNRETURNED, "calls-unreturned", "had no end",
     "What such calls cost is in the scope around them, or in the rest"},
};

static bool is_noted(const struct report *report, const char *begin)
{
	const struct record *record = report->record;

	for (size_t i = 0; record && i < record->n_notes; i++)
		if (!strncmp(record->notes[i], begin, strlen(begin)))
			return true;
	return false;
}

static double mean_of(const struct report_variant *v, long metric)
{
	return metric >= 0 && v->cells[metric].n ? v->cells[metric].mean : NAN;
}

static bool has_totals(const struct report *report, const struct report_variant *v,
		       const struct report_metric *scope)
{
	for (size_t i = 0; i < report->n_metrics; i++) {
		const struct report_metric *m = &report->metrics[i];

		if (m->source == METRIC_SCOPE && m->part == PART_TOTAL && !m->on_cpu &&
		    !strcmp(m->scope, scope->scope) && v->cells[i].n)
			return true;
	}
	return false;
}

/* Whether calls were not counted for where they ran, rather than for want of a counter. */
static bool on_other_cpus(const struct report *report, const struct report_variant *v,
			  const struct report_metric *scope)
{
	for (size_t i = 0; i < report->n_metrics; i++) {
		const struct report_metric *m = &report->metrics[i];

		if (m->source == METRIC_SCOPE && m->part == PART_TOTAL && !m->on_cpu &&
		    !strcmp(m->scope, scope->scope) && v->cells[i].missing == NULL_OTHER_CPUS)
			return true;
	}
	return false;
}

static int warn_of_calls(struct report *report, const struct report_variant *v,
			 const struct report_metric *scope)
{
	double calls = mean_of(v, report_scope_metric(report, scope->scope, PART_CALLS, NULL));
	char lost[FORMAT_SIZE], all[FORMAT_SIZE], share[FORMAT_SIZE];

	bool regions = is_noted(report, "regions are counted by") &&
		       !is_noted(report, "scopes are measured by");
	const struct kind *kind = regions ? region_kinds : kinds;
	size_t n_kinds = regions ? ARRAY_SIZE(region_kinds) : ARRAY_SIZE(kinds);

	for (size_t i = 0; i < n_kinds; i++) {
		double n =
		    mean_of(v, report_scope_metric(report, scope->scope, kind[i].part, NULL));

		if (!(n > 0) || !(calls > 0))
			continue;
		if (!regions && kind[i].part == PART_NOT_COUNTED &&
		    on_other_cpus(report, v, scope) != !strcmp(kind[i].code, "scope-other-cpus"))
			continue;
		int r = report_warn(
		    report, kind[i].code, scope->scope,
		    "'%s': of %s call%s a run, %s (%s) %s%s. %s", v->name,
		    format_number(all, sizeof(all), calls, format_decimals(calls, NAN)),
		    calls == 1 ? "" : "s",
		    format_number(lost, sizeof(lost), n, format_decimals(n, NAN)),
		    format_fraction(share, sizeof(share), n / calls), kind[i].what,
		    kind[i].part == PART_UNRETURNED ? ""
		    : has_totals(report, v, scope)  ? "; totals are scaled up for them"
						    : "; so many that there are no totals",
		    kind[i].advice);

		if (r)
			return r;
	}
	return 0;
}

/* A call that costs less than what its probes add is a small difference of two larger numbers. */
static bool is_short(const struct report *report, const struct report_variant *v,
		     const struct report_metric *mean)
{
	double cost = mean_of(v, report_scope_metric(report, mean->scope, PART_MEAN, mean->of));
	double overhead =
	    mean_of(v, report_scope_metric(report, mean->scope, PART_OVERHEAD, mean->of));

	return mean->shown && overhead > 0 && cost < overhead;
}

static int warn_of_short_calls(struct report *report, const struct report_variant *v,
			       const struct report_metric *mean)
{
	double cost = mean_of(v, report_scope_metric(report, mean->scope, PART_MEAN, mean->of));
	double overhead =
	    mean_of(v, report_scope_metric(report, mean->scope, PART_OVERHEAD, mean->of));
	char a[FORMAT_SIZE], b[FORMAT_SIZE];

	if (!(cost > 0))
		return report_warn(
		    report, "scope-short", mean->name,
		    "a call costs less than can be told ('%s'): after the %s that probing it adds "
		    "were taken off, nothing remains (%s). Its total and its share are no more "
		    "than the error of that; scope what calls it",
		    v->name, format_value(b, sizeof(b), mean->unit, overhead, NAN),
		    format_value(a, sizeof(a), mean->unit, cost, NAN));
	return report_warn(report, "scope-short", mean->name,
			   "a call costs %s ('%s'), less than the %s that probing it adds, which "
			   "were taken off: trust "
			   "a difference between variants more than the value",
			   format_value(a, sizeof(a), mean->unit, cost, NAN), v->name,
			   format_value(b, sizeof(b), mean->unit, overhead, NAN));
}

static char *format_times(char *buf, size_t size, double times)
{
	return format_number(buf, size, times, format_decimals(times, times / 10));
}

/* With few runs the interval may have no ends, and the estimate is all there is. */
static int warn_of_probing(struct report *report, const char *variant,
			   const struct report_metric *m, const struct report_change *c)
{
	char times[FORMAT_SIZE], low[FORMAT_SIZE], high[FORMAT_SIZE],
	    interval[3 * FORMAT_SIZE] = "";

	if (c->low > -1 && isfinite(c->high))
		snprintf(interval, sizeof(interval), " [%s, %s]",
			 format_times(low, sizeof(low), 1 + c->low),
			 format_times(high, sizeof(high), 1 + c->high));
	return report_warn(report, "heavy-probing", m->name,
			   "'%s': a probed run has %s%s times as much as one without probes: calls "
			   "are many and short, and caches and the processor's predictions are not "
			   "what they are without%s. Scope what calls them, or fewer",
			   variant, format_times(times, sizeof(times), 1 + c->estimate), interval,
			   c->estimate > DROWNING_PROBING
			       ? ". Totals and shares say nothing of the run without probes"
			       : "");
}

/* Scopes of a run that is mostly probes say little of the run without them. */
static int warn_of_heavy_probing(struct report *report)
{
	for (size_t v = 0; v < report->n_variants; v++)
		for (size_t i = 0; i < report->variants[v].n_probing; i++) {
			const struct report_change *c = report->variants[v].probing[i].change;
			const struct report_metric *m =
			    &report->metrics[report->variants[v].probing[i].metric];

			if (c->absolute || !(c->estimate > HEAVY_PROBING) || !m->shown)
				continue;
			return warn_of_probing(report, report->variants[v].name, m, c);
		}
	return 0;
}

/* The rest is what remains after what probing adds to all calls was taken off. */
static int warn_of_short_rest(struct report *report, const struct report_metric *rest)
{
	char left[FORMAT_SIZE], off[FORMAT_SIZE];

	for (size_t v = 0; v < report->n_variants; v++) {
		const struct report_variant *variant = &report->variants[v];
		double cost = variant->cells[rest - report->metrics].mean;

		if (!scope_rest_is_short(report, variant, rest->of))
			continue;
		return report_warn(
		    report, "rest-short", rest->name,
		    "the rest of a run costs %s ('%s'), less than the %s that probing added to the "
		    "run, which were taken off: it is no better known than that, and a difference "
		    "of it that is smaller gets no verdict. Scope fewer calls",
		    format_value(left, sizeof(left), rest->unit, cost, NAN), variant->name,
		    format_value(off, sizeof(off), rest->unit,
				 scope_taken_off(report, variant, rest->of), NAN));
	}
	return 0;
}

int warn_of_scopes(struct report *report)
{
	int r = warn_of_heavy_probing(report);

	for (size_t i = 0; i < report->n_metrics && !r; i++) {
		const struct report_metric *m = &report->metrics[i];

		if (m->source != METRIC_SCOPE || m->on_cpu)
			continue;
		for (size_t v = 0; v < report->n_variants && !r; v++) {
			if (m->part == PART_CALLS)
				r = warn_of_calls(report, &report->variants[v], m);
			else if (m->part == PART_MEAN &&
				 is_short(report, &report->variants[v], m)) {
				r = warn_of_short_calls(report, &report->variants[v], m);
				break;
			}
		}
		if (!r && m->part == PART_TOTAL && !m->untested && !strcmp(m->scope, SCOPE_REST))
			r = warn_of_short_rest(report, m);
	}
	return r;
}
