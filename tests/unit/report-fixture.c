/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reports built by hand. */
#include "report-fixture.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sentence.h"

static struct report_metric *add_metric(struct fixture *f, const char *name, const char *event,
					const char *unit, enum direction direction)
{
	struct report *r = &f->report;
	struct report_metric *m;

	r->metrics = realloc(r->metrics, (r->n_metrics + 1) * sizeof(*r->metrics));
	m = &r->metrics[r->n_metrics++];
	*m = (struct report_metric){
	    .name = name,
	    .event = event,
	    .unit = unit,
	    .direction = direction,
	    .source = METRIC_COUNTER,
	    .shown = true,
	};
	return m;
}

static void add_derived(struct fixture *f, const char *name, const char *formula, const char *unit,
			const char *beside, const char *note)
{
	struct report_metric *m = add_metric(f, name, name, unit, DIRECTION_NEUTRAL);

	m->source = METRIC_EXPR;
	m->formula = formula;
	m->beside = beside;
	m->note = note;
	m->shown = false;
}

/* All metrics come before the first variant. */
static void add_variant(struct fixture *f, const char *name, const char *command, uint64_t runs)
{
	struct report *r = &f->report;

	r->variants = realloc(r->variants, (r->n_variants + 1) * sizeof(*r->variants));
	r->variants[r->n_variants++] = (struct report_variant){
	    .name = name,
	    .command = command,
	    .runs = runs,
	    .cells = calloc(r->n_metrics ? r->n_metrics : 1, sizeof(struct report_cell)),
	};
}

static struct report_cell *set_cell(struct fixture *f, size_t variant, size_t metric, uint64_t n,
				    double mean, double sd)
{
	struct report_cell *c = &f->report.variants[variant].cells[metric];
	double sem = n > 1 ? sd / sqrt((double)n) : NAN;

	*c = (struct report_cell){
	    .n = n,
	    .mean = mean,
	    .sd = n > 1 ? sd : NAN,
	    .sem_percent = n > 1 && mean != 0 ? 100 * sem / fabs(mean) : NAN,
	    .median = mean - sd / 8,
	    .min = mean - sd,
	    .max = mean + 2 * sd,
	    .ci = {n > 1 ? mean - 2 * sem : NAN, n > 1 ? mean + 2 * sem : NAN, 0.95},
	    .running_percent = 100,
	};
	return c;
}

static void set_missing(struct fixture *f, size_t variant, size_t metric, enum null_reason missing,
			const char *reason)
{
	f->report.variants[variant].cells[metric] = (struct report_cell){
	    .mean = NAN,
	    .sd = NAN,
	    .sem_percent = NAN,
	    .median = NAN,
	    .min = NAN,
	    .max = NAN,
	    .ci = {NAN, NAN, NAN},
	    .running_percent = NAN,
	    .missing = missing,
	    .reason = reason,
	};
}

static struct report_comparison *add_comparison(struct fixture *f, size_t variant)
{
	struct report *r = &f->report;
	struct report_comparison *c;

	r->comparisons = realloc(r->comparisons, (r->n_comparisons + 1) * sizeof(*r->comparisons));
	c = &r->comparisons[r->n_comparisons++];
	*c = (struct report_comparison){
	    .baseline = 0,
	    .variant = variant,
	    .interleaved = true,
	    .boots = BOOT_SAME,
	    .changes = calloc(r->n_metrics, sizeof(struct report_change)),
	    .gate_margin = NAN,
	    .gate_p_worse = NAN,
	    .gate_p_ruled_out = NAN,
	};
	return c;
}

/* A rank comparison of N pairs; Welch sees about the same. */
static struct report_change *set_change(struct report_comparison *comparison, size_t metric,
					uint64_t n, double estimate, double half, double p,
					enum verdict verdict)
{
	struct report_change *c = &comparison->changes[metric];

	*c = (struct report_change){
	    .n = n,
	    .n_baseline = n,
	    .n_variant = n,
	    .estimate = estimate,
	    .low = estimate - half,
	    .high = estimate + half,
	    .level = 1 - 0.00447,
	    .method = METHOD_RANK,
	    .p = p,
	    .p_adjusted = p,
	    .alpha = 0.00447,
	    .welch = {estimate * 1.1, estimate * 1.1 - half * 1.5, estimate * 1.1 + half * 1.5,
		      1 - 0.00447, estimate / half * 2.6, 2 * (double)n - 2, p * 2},
	    .equivalence = {0.01, estimate - half * 0.9, estimate + half * 0.9, 0.99, 0.2},
	    .ruled_out_above = NAN,
	    .smallest_visible = half * 1.4,
	    .runs_needed = NAN,
	    .verdict = verdict,
	};
	if (verdict == VERDICT_UNCLEAR)
		c->runs_needed = 151.2;
	return c;
}

static void compose(struct fixture *f)
{
	struct report *r = &f->report;

	for (size_t i = 0; i < r->n_comparisons; i++)
		sentence_compose(&r->comparisons[i].sentence, r, &r->comparisons[i]);
}

static void start(struct fixture *f)
{
	record_init(&f->record);
	report_init(&f->report);
	f->report.record = &f->record;
	f->record.plan.seed = UINT64_C(9007199254740991);
	f->record.plan.warmup = 1;
}

void fixture_stat(struct fixture *f)
{
	start(f);
	f->record.plan.fixed = true;
	f->record.plan.max_blocks = f->record.plan.blocks = 50;
	f->record.plan.stopped = STOPPED_BLOCKS;
	f->record.plan.multiplexed = true;
	f->record.machine.hostname = strdup("host");
	f->record.machine.cpus_online = 2;
	f->record.machine.kernel = strdup("6.18.0");
	add_metric(f, "task-clock", "task-clock", "ns", DIRECTION_LOWER);
	add_metric(f, "context-switches", "context-switches", "", DIRECTION_LOWER);
	add_metric(f, "page-faults", "page-faults", "", DIRECTION_LOWER);
	add_metric(f, "cycles:u", "cycles", "", DIRECTION_LOWER);
	add_metric(f, "instructions:u", "instructions", "", DIRECTION_LOWER);
	add_metric(f, "branches:u", "branches", "", DIRECTION_LOWER);
	add_metric(f, "branch-misses:u", "branch-misses", "", DIRECTION_LOWER);
	add_metric(f, "max_rss", "max_rss", "bytes", DIRECTION_LOWER)->source = METRIC_TOOL;
	add_metric(f, "amd64_fam19h_zen4::RETIRED_UOPS_OF_A_LONG_NAME:u", "RETIRED_UOPS", "",
		   DIRECTION_NEUTRAL);
	add_derived(f, "cpus-utilized", "task-clock / duration_time", "", "task-clock",
		    "CPUs utilized");
	add_derived(f, "ipc", "instructions / cycles", "", "instructions:u", "insn per cycle");
	add_derived(f, "stalled", "cycles / instructions", "", "instructions:u", "cycles per insn");
	add_derived(f, "branch-miss-rate", "branch-misses / branches", "ratio", "branch-misses:u",
		    "of all branches");
	add_metric(f, "duration_time", "duration_time", "ns", DIRECTION_LOWER)->source =
	    METRIC_TOOL;
	add_metric(f, "user_time", "user_time", "ns", DIRECTION_LOWER)->source = METRIC_TOOL;
	add_metric(f, "system_time", "system_time", "ns", DIRECTION_LOWER)->source = METRIC_TOOL;
	f->report.metrics[13].primary = true;
	add_variant(f, "./x -in file", "./x -in file", 50);
	f->report.variants[0].failed = 1;
	set_cell(f, 0, 0, 50, 1234567.25, 12345);
	set_cell(f, 0, 1, 50, 0, 0);
	set_cell(f, 0, 2, 50, 47.24, 2.5);
	set_cell(f, 0, 3, 50, 24410837606.0, 72.0e6)->running_percent = 50.45;
	set_cell(f, 0, 4, 25, 23667556717.0, 35.0e6);
	set_cell(f, 0, 5, 50, 2000004, 0);
	set_cell(f, 0, 6, 50, 50123, 999);
	set_cell(f, 0, 7, 50, 3355443, 0)->upper_bound = true;
	set_cell(f, 0, 8, 50, 123456789, 1e6);
	set_cell(f, 0, 9, 50, 0.981, 0.02);
	set_cell(f, 0, 10, 25, 0.96955, 0.0015);
	set_cell(f, 0, 11, 25, 1.0314, 0.0016);
	set_cell(f, 0, 12, 50, 0.025061, 0.0005);
	set_cell(f, 0, 13, 50, 1258478, 33000);
	set_cell(f, 0, 14, 50, 800000, 33000);
	set_cell(f, 0, 15, 50, 400000, 23000);
	record_note(&f->record, "cycles, instructions, branches, branch-misses: counted in user "
				"space only, since the kernel part is not permitted here");
	report_warn(&f->report, "autocorrelation", "duration_time",
		    "runs close in time are alike; run longer, or leave the machine alone");
}

void fixture_stat_without_pmu(struct fixture *f)
{
	static const char no_pmu[] = "no hardware counters in this virtual machine";
	static const char *const names[] = {"cycles",        "instructions",     "branches",
					    "branch-misses", "cache-references", "cache-misses"};

	start(f);
	add_metric(f, "task-clock", "task-clock", "ns", DIRECTION_LOWER);
	for (size_t i = 0; i < 6; i++)
		add_metric(f, names[i], names[i], "", DIRECTION_LOWER);
	add_metric(f, "sched:sched_switch", "sched:sched_switch", "", DIRECTION_NEUTRAL);
	add_metric(f, "r4", "r4", "", DIRECTION_NEUTRAL);
	add_metric(f, "duration_time", "duration_time", "ns", DIRECTION_LOWER)->source =
	    METRIC_TOOL;
	add_metric(f, "cycles per fault", "cycles per fault", "cyc", DIRECTION_LOWER)->source =
	    METRIC_EXPR;
	add_variant(f, "slow", "sleep 2", 1);
	set_cell(f, 0, 0, 1, 1500, 0);
	for (size_t i = 1; i < 7; i++)
		set_missing(f, 0, i, NULL_NOT_SUPPORTED, no_pmu);
	set_missing(f, 0, 7, NULL_NOT_PERMITTED,
		    "perf_event_paranoid is 3: set it to 2, or run as root");
	set_missing(f, 0, 8, NULL_NOT_COUNTED, "others hold the counters");
	set_cell(f, 0, 9, 1, 2e9 + 123456, 0);
	set_cell(f, 0, 10, 1, 33.5, 0);
}

void fixture_compare(struct fixture *f)
{
	struct report_comparison *c;

	start(f);
	f->record.plan.seed = 1234;
	f->record.plan.interleaved = true;
	f->record.plan.max_blocks = 50;
	f->record.plan.blocks = 20;
	f->record.plan.stopped = STOPPED_VERDICT;
	add_metric(f, "cycles:u", "cycles", "", DIRECTION_LOWER)->primary = true;
	add_metric(f, "instructions:u", "instructions", "", DIRECTION_LOWER);
	add_metric(f, "task-clock", "task-clock", "ns", DIRECTION_LOWER);
	add_metric(f, "context-switches", "context-switches", "", DIRECTION_LOWER);
	add_metric(f, "throughput", "throughput", "req/s", DIRECTION_HIGHER);
	add_metric(f, "branches:u", "branches", "", DIRECTION_NEUTRAL);
	add_metric(f, "duration_time", "duration_time", "ns", DIRECTION_LOWER);
	add_metric(f, "amd64_fam19h_zen4::RETIRED_UOPS_OF_A_LONG_NAME:u", "RETIRED_UOPS", "",
		   DIRECTION_NEUTRAL);
	add_metric(f, "r4", "r4", "", DIRECTION_NEUTRAL);
	add_metric(f, "max_rss", "max_rss", "bytes", DIRECTION_LOWER);
	add_variant(f, "./old -x in", "./old -x in", 20);
	add_variant(f, "./new -x in", "./new -x in", 20);
	for (size_t v = 0; v < 2; v++) {
		double k = v ? 0.9973 : 1;

		set_cell(f, v, 0, 20, 24410837606.0 * k, 40.0e6);
		set_cell(f, v, 1, 20, 2000004 + (double)v, 0);
		set_cell(f, v, 2, 20, 1234567 * k, 20000);
		set_cell(f, v, 3, 20, v ? 2.05 : 0.05, 0.3);
		set_cell(f, v, 4, 20, 51234.5 * k * k * k * k, 500);
		set_cell(f, v, 5, 20, 5e6 * k, 1000);
		set_cell(f, v, 6, 20, 1.31e6 * k, 60000);
		set_cell(f, v, 7, 20, 123456789 * k, 1e6);
		set_missing(f, v, 8, NULL_NOT_SUPPORTED,
			    "no hardware counters in this virtual machine");
		set_cell(f, v, 9, 20, 3355443, 0)->upper_bound = true;
	}
	set_missing(f, 1, 9, NULL_DROPPED, "the program is setuid");
	c = add_comparison(f, 1);
	set_change(c, 0, 20, -0.00272, 0.0013, 0.00006, VERDICT_BETTER)->within_margin = true;
	set_change(c, 1, 20, 1.0 / 2000004, 0, 0, VERDICT_WORSE)->within_margin = true;
	c->changes[1].method = METHOD_EXACT;
	set_change(c, 2, 20, -0.003, 0.008, 0.41, VERDICT_SAME);
	set_change(c, 3, 20, 2, 1, 0.001, VERDICT_WORSE)->absolute = true;
	set_change(c, 4, 20, -0.0107, 0.004, 0.0012, VERDICT_WORSE);
	c->changes[4].disagree = true;
	c->changes[4].welch.p = 0.3;
	set_change(c, 5, 20, -0.0027, 0.0002, 0.00001, VERDICT_CHANGED);
	set_change(c, 6, 20, -0.0041, 0.0151, 0.5724, VERDICT_UNCLEAR)->ruled_out_above = 0.0111;
	set_change(c, 7, 20, -0.0027, 0.004, 0.3, VERDICT_UNCLEAR);
	c->changes[7].low = -INFINITY;
	set_change(c, 8, 0, NAN, NAN, NAN, VERDICT_NONE)->method = METHOD_NONE;
	set_change(c, 9, 0, NAN, NAN, NAN, VERDICT_NONE)->method = METHOD_NONE;
	c->changes[9].reason = "B has no values: the program is setuid";
	c->verdict = VERDICT_BETTER;
	compose(f);
	report_warn(&f->report, "aslr", NULL,
		    "address space layout randomisation is off: what is measured is one layout; "
		    "set kernel.randomize_va_space to 2");
	record_note(&f->record, "cycles: counted in user space only");
}

void fixture_compare_named(struct fixture *f)
{
	struct report_comparison *c;

	start(f);
	f->record.plan.interleaved = true;
	f->record.plan.max_blocks = f->record.plan.blocks = 5;
	f->record.plan.stopped = STOPPED_TIME;
	add_metric(f, "duration_time", "duration_time", "ns", DIRECTION_LOWER)->primary = true;
	add_variant(f, "old", "./x --old", 5);
	add_variant(f, "new", "./x --new", 5);
	add_variant(f, "a name that is too long for a label", "./x --other", 5);
	f->report.variants[2].failed = 2;
	for (size_t v = 0; v < 3; v++)
		set_cell(f, v, 0, 5, 5e9 * (1 + (double)v / 3), 5e7);
	c = add_comparison(f, 1);
	set_change(c, 0, 5, 0.3334, 0.02, 0.0002, VERDICT_WORSE)->method = METHOD_WELCH;
	c->changes[0].low_n = true;
	c->verdict = VERDICT_WORSE;
	c->gate = GATE_WORSE;
	c->gate_metric = "duration_time";
	c->gate_margin = 0.01;
	c->gate_p_worse = 0.0001;
	c->gate_p_ruled_out = 0.9999;
	c = add_comparison(f, 2);
	set_change(c, 0, 5, 1.6667, 0.9, 0.06, VERDICT_UNCLEAR);
	c->verdict = VERDICT_UNCLEAR;
	c->gate = GATE_UNCLEAR;
	c->gate_metric = "duration_time";
	c->gate_margin = 0.01;
	compose(f);
	f->report.status = 1;
}

void fixture_diff(struct fixture *f)
{
	struct report_comparison *c;

	start(f);
	add_metric(f, "cycles", "cycles", "", DIRECTION_LOWER)->primary = true;
	add_metric(f, "r4", "r4", "", DIRECTION_NEUTRAL);
	add_variant(f, "A", "alpha-prefetch.txt", 100);
	add_variant(f, "B", "alpha-noprefetch.txt", 100);
	for (size_t v = 0; v < 2; v++) {
		set_cell(f, v, 0, 100, v ? 24344500000.0 : 24410837606.0, 102.0e6);
		set_cell(f, v, 1, 100, v ? 115400000 : 115401247, 1.1e6);
		f->report.variants[v].cells[0].running_percent = 50.45;
		for (size_t i = 0; i < 2; i++) {
			struct report_cell *cell = &f->report.variants[v].cells[i];

			cell->median = cell->min = cell->max = NAN;
		}
	}
	c = add_comparison(f, 1);
	c->interleaved = false;
	c->boots = BOOT_ONE_EACH;
	set_change(c, 0, 100, -0.002718, 0.0013, 0.00005629, VERDICT_BETTER)->within_margin = true;
	set_change(c, 1, 100, -0.0001348, 0.00285, 0.9257, VERDICT_SAME);
	for (size_t i = 0; i < 2; i++) {
		c->changes[i].method = METHOD_SUMMARY;
		c->changes[i].level = 0.95;
	}
	c->verdict = VERDICT_BETTER;
	compose(f);
}

void fixture_hostile(struct fixture *f)
{
	struct report_comparison *c;

	start(f);
	f->record.plan.interleaved = true;
	f->record.plan.blocks = f->record.plan.max_blocks = 10;
	add_metric(f, "x\033[2J|`<b>*\xff,\"q\"\n", "x", "u\033[31m|", DIRECTION_LOWER)->primary =
	    true;
	add_variant(f, "a\tb", "./a '\033]0;owned\a' | tee \u202e", 10);
	add_variant(f, "=cmd()", "printf \"a,b\\n\"; ``x``", 10);
	set_cell(f, 0, 0, 10, 12, 1);
	set_cell(f, 1, 0, 10, 12, 1);
	c = add_comparison(f, 1);
	set_change(c, 0, 10, 0.001, 0.005, 0.8, VERDICT_SAME);
	c->verdict = VERDICT_SAME;
	compose(f);
	report_warn(&f->report, "stderr", NULL, "the last line was: \033[31mred\033[0m\n<script>");
}

void fixture_empty(struct fixture *f)
{
	start(f);
	f->record.plan.stopped = STOPPED_INTERRUPT;
	f->report.status = 130;
	f->report.error = strdup("interrupted");
	add_metric(f, "duration_time", "duration_time", "ns", DIRECTION_LOWER)->primary = true;
	add_variant(f, "./x", "./x", 0);
	set_missing(f, 0, 0, NULL_RUN_FAILED, "no run has ended");
}

void fixture_release(struct fixture *f)
{
	report_release(&f->report);
	record_release(&f->record);
}
