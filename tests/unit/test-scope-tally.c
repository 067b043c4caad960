/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Sums and percentiles of calls, and what probing added to them.
 */
#include "scope-tally.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { ROWS = 14 };

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static void constant_is_exact(void **state)
{
	struct histogram h = {0};

	(void)state;
	assert_true(isnan(histogram_quantile(&h, 0.5)));
	for (int i = 0; i < 1000; i++)
		assert_int_equal(histogram_add(&h, 123456789.25), 0);
	assert_true(histogram_quantile(&h, 0.5) == 123456789.25);
	assert_true(histogram_quantile(&h, 0.99) == 123456789.25);
	histogram_reset(&h);
	assert_true(isnan(histogram_quantile(&h, 0.5)));
	histogram_add(&h, -3);
	assert_true(histogram_quantile(&h, 0.5) == 0);
	histogram_release(&h);
}

/* Exact below 2048, within 0.05 % above, against sorting, up to what does not fit 64 bits. */
static void percentiles(void **state)
{
	static const double quantiles[] = {0, 0.01, 0.25, 0.5, 0.75, 0.99, 1};
	enum { N = 20000 };
	double *values = calloc(N, sizeof(*values));
	struct histogram h = {0};

	(void)state;
	srand48(42);
	for (double top = 100; top < 1e19; top *= 37) {
		histogram_reset(&h);
		for (int i = 0; i < N; i++) {
			values[i] = floor(exp(drand48() * log(top)));
			assert_int_equal(histogram_add(&h, values[i]), 0);
		}
		qsort(values, N, sizeof(*values), by_value);
		for (size_t q = 0; q < sizeof(quantiles) / sizeof(quantiles[0]); q++) {
			long rank = (long)ceil(quantiles[q] * N);
			double want = values[rank ? rank - 1 : 0];
			double got = histogram_quantile(&h, quantiles[q]);

			if (want < 2048)
				assert_true(got == want);
			else
				assert_true(fabs(got - want) <= want * 0.0005);
		}
	}
	histogram_add(&h, 1e30);
	assert_true(histogram_quantile(&h, 1) <= 1e30);
	histogram_release(&h);
	free(values);
}

struct bed {
	struct pair_scope scopes[2];
	size_t cost_members[2];
	struct pair_layout layout;
	struct scope_constant constants[ROWS * 3];
	struct scope_config config;
	struct scope_result result;
	void *memory;
};

/* Two scopes of different rows, two events, of which the second is not in the group. */
static struct tally *bed_init(struct bed *b)
{
	static const struct scope_target targets[2];

	*b = (struct bed){.scopes = {{.row = 1}, {.row = 2}}, .cost_members = {0, PAIR_NO_MEMBER}};
	b->layout = (struct pair_layout){.scopes = b->scopes,
					 .n_scopes = 2,
					 .cost_members = b->cost_members,
					 .n_cost_members = 2,
					 .n_rows = ROWS};
	b->constants[1 * 3] = (struct scope_constant){2, 0.1, 5, 0.2, true};
	b->constants[2 * 3] = (struct scope_constant){3, 0.3, 7, 0.4, true};
	b->config = (struct scope_config){
	    .targets = targets, .n_targets = 2, .n_events = 2, .constants = b->constants};
	b->memory = malloc(scope_result_size(&b->config));
	scope_result_place(&b->result, &b->config, b->memory);
	return tally_new(&b->layout, &b->config);
}

/* f (scope 0) costs 100 and calls g (scope 1) twice, of which each costs 20, as f's counter sees
 * it. */
static void overhead(void **state)
{
	const uint64_t none[ROWS] = {0}, one[ROWS] = {0, 0, 1},
		       self[ROWS] = {0, 1}, two[ROWS] = {0, 0, 2};
	const uint64_t f[3] = {100, 0, 1000}, g[3] = {20, 0, 50}, in_f[3] = {40, 0, 100},
		       nothing[3] = {0};
	struct bed b;
	struct tally *t = bed_init(&b);
	struct pair_sink sink = tally_sink(t);
	const struct scope_cost *cost = b.result.costs;

	(void)state;
	for (int i = 0; i < 2; i++) {
		sink.call(t, &(struct pair_call){1, 0, false, g, nothing, none, none});
		sink.total(t, 1, &(struct pair_sum){0, g, one, none});
	}
	sink.call(t, &(struct pair_call){0, 0, false, f, in_f, two, none});
	sink.total(t, 0, &(struct pair_sum){0, f, self, two});
	sink.outermost(t, &(struct pair_sum){0, f, self, two});
	assert_false(tally_failed(t));
	tally_result(t, &b.result);
	/* f: itself 2 inside, and 7 around each g. */
	assert_true(cost[0].total == 100 - 2 - 2 * 7);
	assert_true(cost[0].overhead == 16);
	assert_true(fabs(cost[0].overhead_se - hypot(0.1, 2 * 0.4)) < 1e-12);
	assert_true(cost[0].p50 == 84);
	/* Without the two calls' true costs, which are 17 each. */
	assert_true(cost[0].self == 84 - 2 * 17);
	assert_true(cost[3].total == 2 * 17);
	assert_true(cost[3].self == 2 * 17);
	assert_true(cost[3].p99 == 17);
	assert_true(b.result.outermost[0] == 84);
	/* The event that is not counted is no number, and time has its own constants: none. */
	assert_true(isnan(cost[1].total) && isnan(cost[1].p50) && isnan(b.result.outermost[1]));
	assert_true(cost[2].total == 1000 && cost[2].self == 900);
	/* So nothing is subtracted, and that is no overhead of 0. */
	assert_true(isnan(cost[2].overhead) && isnan(cost[2].overhead_se));
	tally_reset(t);
	tally_result(t, &b.result);
	assert_true(cost[0].total == 0 && isnan(cost[0].p50));
	assert_true(cost[2].overhead == 0);
	/* Of a call in it nothing is known, and so not of itself. */
	b.constants[2 * 3].known = false;
	sink.total(t, 0, &(struct pair_sum){0, f, self, two});
	tally_result(t, &b.result);
	assert_true(isnan(cost[0].overhead) && cost[0].total == 84);
	tally_free(t);
	free(b.memory);
}

/*
 * f is called on CPUs 3 and 7, g in it or by itself, and on CPU 4, which is not told apart: the CPUs
 * have the calls that ended there, what probing added taken off, and so they add up to the whole.
 */
static void a_row_a_cpu(void **state)
{
	static const int told[] = {3, 7};
	const uint64_t none[ROWS] = {0}, f_calls[ROWS] = {0, 1}, g_calls[ROWS] = {0, 0, 1};
	const uint64_t f[3] = {100, 0, 1000}, g[3] = {20, 0, 50}, nothing[3] = {0};
	struct bed b;
	struct tally *t;
	struct pair_sink sink;
	const struct scope_result *r = &b.result;

	(void)state;
	tally_free(bed_init(&b));
	free(b.memory);
	b.config.told = told;
	b.config.n_told = 2;
	b.memory = malloc(scope_result_size(&b.config));
	scope_result_place(&b.result, &b.config, b.memory);
	/* What is in the result lies within its memory. */
	assert_true((char *)(r->counted + 3) <= (char *)b.memory + scope_result_size(&b.config));
	t = tally_new(&b.layout, &b.config);
	sink = tally_sink(t);
	for (int round = 0; round < 2; round++) {
		for (int i = 0; i < 10; i++) {
			unsigned cpu = i < 3 ? 3 : i < 9 ? 7 : 4;

			sink.call(t, &(struct pair_call){1, cpu, false, g, nothing, none, none});
			sink.total(t, 1, &(struct pair_sum){cpu, g, g_calls, none});
		}
		sink.call(t, &(struct pair_call){0, 7, true, f, g, g_calls, none});
		sink.total(t, 0, &(struct pair_sum){7, f, f_calls, g_calls});
		tally_result(t, &b.result);
		/* CPU 3: none of f; CPU 7: one; each g costs 3 less than it reads, f 2 and 7. */
		assert_int_equal(r->cpu_calls[0], 0);
		assert_int_equal(r->cpu_calls[1], 3);
		assert_int_equal(r->cpu_calls[2], 1);
		assert_int_equal(r->cpu_calls[3], 6);
		assert_true(r->cpu_totals[0] == 0);
		assert_true(r->cpu_totals[1 * 3] == 3 * 17);
		assert_true(r->cpu_totals[2 * 3] == 100 - 2 - 7);
		assert_true(r->cpu_totals[3 * 3] == 6 * 17);
		assert_true(r->cpu_totals[3 * 3 + 2] == 6 * 50);
		/* What no member counts is no number of any CPU. */
		assert_true(isnan(r->cpu_totals[3 * 3 + 1]));
		/* Beside them, the scopes' own are of all CPUs. */
		assert_true(r->costs[3].total == 10 * 17);
		/* And a run that comes later begins anew. */
		tally_reset(t);
	}
	tally_free(t);
	free(b.memory);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(constant_is_exact),
	    cmocka_unit_test(percentiles),
	    cmocka_unit_test(overhead),
	    cmocka_unit_test(a_row_a_cpu),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
