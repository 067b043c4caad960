/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The verdict across scopes: the rule on made-up amounts; then how often whole comparisons with
 * noise are called moved that are, and that are not.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "moved.h"
#include "record-fixture.h"

/* --- the rule --- */

enum { RUNS = 8 };

struct rule {
	double a[3][RUNS], b[3][RUNS];
	struct moved_part parts[3];
	struct moved_input in;
};

/* alloc, free and the rest, of 100, 50 and 850, with differences that vary a little. */
static void rule_init(struct rule *r, double alloc, double freed, double rest)
{
	const double base[] = {100, 50, 850}, change[] = {alloc, freed, rest};

	*r = (struct rule){.in = {.parts = r->parts,
				  .n_parts = 3,
				  .n_a = RUNS,
				  .n_b = RUNS,
				  .paired = true,
				  .whole_open = true,
				  .level = 0.95}};
	for (size_t p = 0; p < 3; p++) {
		for (size_t i = 0; i < RUNS; i++) {
			r->a[p][i] = base[p] + (double)(i % 3);
			r->b[p][i] = r->a[p][i] + change[p] + 0.5 * (double)(i % 2);
		}
		r->parts[p] = (struct moved_part){
		    .a = r->a[p],
		    .b = r->b[p],
		    .side = change[p] < 0   ? MOVED_BETTER
			    : change[p] > 0 ? MOVED_WORSE
					    : MOVED_UNDECIDED,
		    .rest = p == 2,
		    .change = change[p] / base[p],
		};
	}
}

static enum moved_kind kind_of(const struct rule *r)
{
	struct moved m;

	assert_int_equal(moved_find(&m, &r->in), 0);
	enum moved_kind kind = m.kind;

	moved_release(&m);
	return kind;
}

static void amounts_add_up(void **state)
{
	struct rule r;
	struct moved m;

	(void)state;
	rule_init(&r, -20, 19, 0);
	assert_int_equal(moved_find(&m, &r.in), 0);
	assert_int_equal(m.kind, MOVED_MOVED);
	assert_int_equal(m.roles[0], MOVED_WON);
	assert_int_equal(m.roles[1], MOVED_LOST);
	assert_int_equal(m.roles[2], MOVED_NEITHER);
	assert_float_equal(m.won.estimate, -19.75, 1e-9);
	assert_float_equal(m.lost.estimate, 19.25, 1e-9);
	assert_float_equal(m.net.estimate, m.won.estimate + m.lost.estimate, 1e-9);
	assert_true(m.net.low < m.net.estimate && m.net.estimate < m.net.high);
	/* 8 runs of 0, 1, 2, 0, 1, 2, 0, 1 above the base: on average 7/8 each. */
	assert_float_equal(m.whole, 1000 + 3 * 7.0 / 8, 1e-9);
	assert_float_equal(m.share, (100 + 7.0 / 8) / m.whole, 1e-9);
	moved_release(&m);
}

static void the_rest_may_take_it(void **state)
{
	struct rule r;

	(void)state;
	rule_init(&r, -20, 0, 20);
	assert_int_equal(kind_of(&r), MOVED_MOVED);
	rule_init(&r, 20, 0, -20);
	assert_int_equal(kind_of(&r), MOVED_MOVED);
}

static void what_was_truly_won_is_not_moved(void **state)
{
	struct rule r;

	(void)state;
	rule_init(&r, -20, 0, 0);
	assert_int_equal(kind_of(&r), MOVED_NARROW);
	rule_init(&r, -20, 5, 0);
	assert_int_equal(kind_of(&r), MOVED_NARROW);
	rule_init(&r, 0, 0, -20);
	assert_int_equal(kind_of(&r), MOVED_NOT);
	rule_init(&r, -20, 20, 0);
	r.in.whole_open = false;
	r.in.whole_better = true;
	assert_int_equal(kind_of(&r), MOVED_NOT);
	rule_init(&r, 20, 5, 0);
	assert_int_equal(kind_of(&r), MOVED_NOT);
}

static void calls_that_explain_it_are_no_move(void **state)
{
	struct rule r;

	(void)state;
	rule_init(&r, -20, 20, 0);
	r.parts[0].calls_changed = true;
	r.parts[0].calls = -0.2;
	assert_int_equal(kind_of(&r), MOVED_NARROW);
	/* One call in a thousand explains nothing of a fifth. */
	r.parts[0].calls = -0.001;
	assert_int_equal(kind_of(&r), MOVED_MOVED);
}

/* The outer scope is better only by what is nested in it: the inner one alone has won. */
static void nested_costs_are_not_counted_twice(void **state)
{
	struct rule r;
	struct moved m;

	(void)state;
	rule_init(&r, -20, 0, 20);
	r.parts[1].side = MOVED_BETTER;
	r.parts[1].nested = true;
	for (size_t i = 0; i < RUNS; i++)
		r.b[1][i] = r.a[1][i] + (i % 2 ? 1 : -1);
	assert_int_equal(moved_find(&m, &r.in), 0);
	assert_int_equal(m.roles[0], MOVED_WON);
	assert_int_equal(m.roles[1], MOVED_NEITHER);
	assert_int_equal(m.kind, MOVED_MOVED);
	moved_release(&m);
}

static void more_may_be_better(void **state)
{
	struct rule r;

	(void)state;
	rule_init(&r, -20, 20, 0);
	r.in.larger_better = true;
	r.parts[0].side = MOVED_WORSE;
	r.parts[1].side = MOVED_BETTER;
	assert_int_equal(kind_of(&r), MOVED_MOVED);
}

static void unpaired_runs_have_an_interval_too(void **state)
{
	struct rule r;
	struct moved m;

	(void)state;
	rule_init(&r, -20, 20, 0);
	r.in.paired = false;
	r.in.n_b = RUNS - 3;
	assert_int_equal(moved_find(&m, &r.in), 0);
	assert_int_equal(m.kind, MOVED_MOVED);
	assert_true(m.won.low < -19 && m.won.high > -21 && m.won.low < m.won.high);
	moved_release(&m);
	r.in.n_a = r.in.n_b = 0;
	assert_int_equal(moved_find(&m, &r.in), 0);
	assert_int_equal(m.kind, MOVED_NOT);
	moved_release(&m);
}

/* --- whole comparisons --- */

enum { WHOLE, ALLOC_CALLS, ALLOC, ALLOC_SELF, FREE_CALLS, FREE, FREE_SELF, REST, PROBED, METRICS };

static void scope_metric(struct record *r, const char *name, const char *scope,
			 enum scope_part part)
{
	struct metric *m = made_metric(r, name, NULL, "", DIRECTION_LOWER);

	m->source = METRIC_SCOPE;
	m->scope = strdup(scope);
	m->part = part;
	m->of = scope_part_is_cost(part) ? strdup("cycles:u") : NULL;
	m->probed = true;
	if (part == PART_CALLS)
		m->direction = DIRECTION_NEUTRAL;
}

static void scoped_init(struct record *r)
{
	made_init(r, 2);
	made_metric(r, "cycles:u", "cycles", "", DIRECTION_LOWER);
	scope_metric(r, "alloc/calls", "alloc", PART_CALLS);
	scope_metric(r, "alloc/cycles:u.total", "alloc", PART_TOTAL);
	scope_metric(r, "alloc/cycles:u.self", "alloc", PART_SELF);
	scope_metric(r, "free/calls", "free", PART_CALLS);
	scope_metric(r, "free/cycles:u.total", "free", PART_TOTAL);
	scope_metric(r, "free/cycles:u.self", "free", PART_SELF);
	scope_metric(r, "rest/cycles:u.total", SCOPE_REST, PART_TOTAL);
	scope_metric(r, "probed/cycles:u", SCOPE_WHOLE, PART_PROBED);
	assert_int_equal(record_block_runs(r), 4);
}

/* What a variant costs, in thousands, and how often it calls. */
struct costs {
	double alloc, freed, rest, alloc_calls, free_calls;
};

/*
 * Noise as machines have it: a factor of the whole run that drifts from run to run (an
 * autoregression), one of each part, and a run in fifty that was disturbed.
 */
static void scoped_run(struct record *r, uint32_t block, size_t variant, bool probed,
		       const struct costs *c, double *drift, uint64_t *state)
{
	double v[METRICS], common, disturbed = made_normal(state) > 2.05 ? 1.05 : 1;

	*drift = 0.5 * *drift + 0.005 * made_normal(state);
	common = (1 + *drift) * (1 + 0.01 * made_normal(state)) * disturbed;
	for (size_t i = 0; i < METRICS; i++)
		v[i] = NAN;
	double alloc = 1000 * c->alloc * common * (1 + 0.01 * made_normal(state));
	double freed = 1000 * c->freed * common * (1 + 0.01 * made_normal(state));
	double rest = 1000 * c->rest * common * (1 + 0.005 * made_normal(state));

	if (probed) {
		v[ALLOC_CALLS] = c->alloc_calls;
		v[FREE_CALLS] = c->free_calls;
		v[ALLOC] = v[ALLOC_SELF] = alloc;
		v[FREE] = v[FREE_SELF] = freed;
		v[REST] = rest;
		v[PROBED] = alloc + freed + rest + 10 * (c->alloc_calls + c->free_calls);
	} else {
		v[WHOLE] = alloc + freed + rest;
	}
	made_run(r, block, variant, v)->probed = probed;
}

static void scoped_record(struct record *r, uint32_t blocks, const struct costs costs[2],
			  uint64_t *state)
{
	double drift = 0;

	scoped_init(r);
	for (uint32_t block = 0; block < blocks; block++) {
		size_t first = made_normal(state) > 0;

		for (size_t i = 0; i < 4; i++)
			scoped_run(r, block, (first + i) % 2, (i < 2) == (block % 2 == 0),
				   &costs[(first + i) % 2], &drift, state);
	}
	r->plan.blocks = r->plan.max_blocks = blocks;
}

static const struct costs plain = {200, 150, 650, 1000, 1000};

/* How many of N comparisons of B against plain are called moved. */
static size_t count_moved(size_t n, const struct costs *b, uint64_t seed)
{
	const struct costs costs[2] = {plain, *b};
	struct judge_options judge;
	uint64_t state = seed;
	size_t moved = 0;

	judge_options_init(&judge);
	for (size_t i = 0; i < n; i++) {
		struct report report;
		struct record r;

		scoped_record(&r, 30, costs, &state);
		made_report(&report, &r, &judge);
		assert_non_null(report.comparisons[0].moved);
		bool yes = report.comparisons[0].moved->kind == MOVED_MOVED;

		assert_int_equal(yes, strstr(report.comparisons[0].sentence, " The cost ") != NULL);
		moved += yes;
		report_release(&report);
		record_release(&r);
	}
	return moved;
}

static void moved_costs_are_found(void **state)
{
	static const struct costs moved[] = {
	    {150, 200, 650, 1000, 1000}, /* from alloc to free */
	    {180, 150, 670, 1000, 1000}, /* a tenth of alloc's, to the rest */
	    {220, 130, 650, 1000, 1000}, /* from free to alloc */
	    {150, 186, 665, 1000, 1000}, /* to both of the others */
	    {150, 230, 650, 1000, 1000}, /* and grew by more than half */
	};

	(void)state;
	for (size_t i = 0; i < sizeof(moved) / sizeof(moved[0]); i++) {
		size_t n = count_moved(50, &moved[i], 77 + i);

		print_message("# moved, case %zu: found in %zu of 50\n", i, n);
		assert_true(n >= 45);
	}
}

static void what_did_not_move_is_not_called_so(void **state)
{
	static const struct {
		const char *what;
		struct costs costs;
	} negatives[] = {
	    {"nothing changed", {200, 150, 650, 1000, 1000}},
	    {"a cost was lost", {150, 150, 650, 1000, 1000}},
	    {"a cost too small for the whole was lost", {194, 150, 650, 1000, 1000}},
	    {"two costs were lost", {195, 146, 650, 1000, 1000}},
	    {"calls were moved", {150, 200, 650, 750, 1333}},
	    {"called less often, and more in the rest", {150, 150, 700, 750, 1000}},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(negatives) / sizeof(negatives[0]); i++) {
		size_t n = count_moved(200, &negatives[i].costs, 177 + i);

		print_message("# %s: called moved in %zu of 200\n", negatives[i].what, n);
		assert_true(n <= 10);
	}
}

/* Verdict and numbers of the whole come from the bare runs, those of scopes from the probed ones.
 */
static void bare_and_probed_runs_are_kept_apart(void **state)
{
	static const struct costs costs[2] = {{200, 150, 650, 1000, 1000},
					      {100, 150, 650, 1000, 1000}};
	struct judge_options judge;
	struct report report;
	struct record r;
	uint64_t seed = 5;

	(void)state;
	judge_options_init(&judge);
	scoped_record(&r, 30, costs, &seed);
	made_report(&report, &r, &judge);
	assert_int_equal(report.variants[0].runs, 30);
	assert_int_equal(report.variants[0].cells[WHOLE].n, 30);
	assert_int_equal(report.variants[0].cells[ALLOC].n, 30);
	assert_int_equal(report.variants[0].cells[WHOLE].missing, NULL_NONE);
	assert_float_equal(report.variants[0].cells[WHOLE].mean, 1e6, 2e4);
	/* 20,000 of 1,000,000 are the probes'. */
	assert_int_equal(report.variants[0].n_probing, 1);
	assert_float_equal(report.variants[0].probing[0].change->estimate, 0.02, 0.01);
	assert_int_equal(report.variants[0].probing[0].change->n, 30);
	const struct report_change *c = report.comparisons[0].changes;

	assert_int_equal(c[WHOLE].verdict, VERDICT_BETTER);
	assert_int_equal(c[ALLOC].verdict, VERDICT_BETTER);
	assert_float_equal(c[ALLOC].estimate, -0.5, 0.02);
	assert_int_equal(c[REST].verdict == VERDICT_NONE, false);
	/* No test, no verdict, and yet an interval. */
	assert_int_equal(c[ALLOC_SELF].verdict, VERDICT_NONE);
	assert_true(isnan(c[ALLOC_SELF].p) && isnan(c[ALLOC_SELF].p_adjusted));
	assert_true(c[ALLOC_SELF].high < -0.4);
	assert_non_null(c[ALLOC_SELF].reason);
	assert_int_equal(report.comparisons[0].moved->kind, MOVED_NOT);
	report_release(&report);
	record_release(&r);
}

/* The number of calls is said before anything else. */
static void changed_calls_are_said_first(void **state)
{
	static const struct costs costs[2] = {{200, 150, 650, 1000, 1000},
					      {100, 150, 650, 500, 1000}};
	static const char first[] =
	    "The number of calls changed: alloc is called 500 times a run instead of 1,000. ";
	struct judge_options judge;
	struct report report;
	struct record r;
	uint64_t seed = 6;

	(void)state;
	judge_options_init(&judge);
	scoped_record(&r, 30, costs, &seed);
	made_report(&report, &r, &judge);
	assert_memory_equal(report.comparisons[0].sentence, first, strlen(first));
	assert_int_equal(report.comparisons[0].moved->n_calls, 1);
	report_release(&report);
	record_release(&r);
}

/* With the share that bounds what the whole could gain. */
static void a_narrow_gain_is_bounded(void **state)
{
	static const struct costs costs[2] = {{10, 150, 840, 1000, 1000},
					      {8, 150, 840, 1000, 1000}};
	struct judge_options judge;
	struct report report;
	struct record r;
	uint64_t seed = 7;

	(void)state;
	judge_options_init(&judge);
	scoped_record(&r, 30, costs, &seed);
	made_report(&report, &r, &judge);
	assert_int_equal(report.comparisons[0].moved->kind, MOVED_NARROW);
	assert_float_equal(report.comparisons[0].moved->share, 0.01, 0.001);
	assert_non_null(strstr(report.comparisons[0].sentence, "Only a part is better"));
	print_message("# %s\n", report.comparisons[0].sentence);
	report_release(&report);
	record_release(&r);
}

/* A rest that is less than what probing added: a difference that is less, too, may be probing's. */
static void a_short_rest_is_doubted(void **state)
{
	static const struct {
		struct costs costs[2];
		enum verdict rest;
		bool warned;
	} cases[] = {
	    {{{200, 150, 20, 3000, 3000}, {170, 180, 16, 3000, 3000}}, VERDICT_UNCLEAR, true},
	    {{{200, 150, 20, 3000, 3000}, {170, 180, 100, 3000, 3000}}, VERDICT_WORSE, true},
	    {{{200, 150, 20, 100, 100}, {170, 180, 16, 100, 100}}, VERDICT_BETTER, false},
	};
	struct judge_options judge;
	uint64_t seed = 11;

	(void)state;
	judge_options_init(&judge);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct report report;
		struct record r;
		bool warned = false;

		scoped_record(&r, 30, cases[i].costs, &seed);
		made_report(&report, &r, &judge);
		const struct report_comparison *c = &report.comparisons[0];
		long rest = report_scope_metric(&report, SCOPE_REST, PART_TOTAL, "cycles:u");

		assert_int_equal(c->changes[rest].verdict, cases[i].rest);
		assert_true(c->changes[rest].p < 0.01);
		assert_int_equal(c->changes[rest].reason != NULL,
				 cases[i].rest == VERDICT_UNCLEAR);
		for (size_t k = 0; k < c->moved->n_parts; k++)
			if (!strcmp(c->moved->parts[k].scope, SCOPE_REST))
				assert_int_equal(c->moved->parts[k].role == MOVED_NEITHER,
						 cases[i].rest == VERDICT_UNCLEAR);
		for (size_t k = 0; k < report.n_warnings; k++)
			warned |= !strcmp(report.warnings[k].code, "rest-short");
		assert_int_equal(warned, cases[i].warned);
		report_release(&report);
		record_release(&r);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(amounts_add_up),
	    cmocka_unit_test(a_short_rest_is_doubted),
	    cmocka_unit_test(the_rest_may_take_it),
	    cmocka_unit_test(what_was_truly_won_is_not_moved),
	    cmocka_unit_test(calls_that_explain_it_are_no_move),
	    cmocka_unit_test(nested_costs_are_not_counted_twice),
	    cmocka_unit_test(more_may_be_better),
	    cmocka_unit_test(unpaired_runs_have_an_interval_too),
	    cmocka_unit_test(moved_costs_are_found),
	    cmocka_unit_test(what_did_not_move_is_not_called_so),
	    cmocka_unit_test(bare_and_probed_runs_are_kept_apart),
	    cmocka_unit_test(changed_calls_are_said_first),
	    cmocka_unit_test(a_narrow_gain_is_bounded),
	};

	return cmocka_run_group_tests_name("moved", tests, NULL, NULL);
}
