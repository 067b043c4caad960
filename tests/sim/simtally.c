/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * simtally.c - runs the scenarios, each replicate with a random stream of its own.
 *
 * Every decision is made by judge() and judge_look(), as the tool makes it.
 */
#include "simtally.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "simrandom.h"
#include "simrules.h"

/* Standard deviations; smaller than can be shown with any n here. */
static const double NO_MARGIN = 0.001;

struct scenario {
	double effect, margin, gate; /* gate < 0: none */
	bool either_sign;            /* the effect goes down in every other replicate */
	bool fixed;
	bool timed; /* ends at a number of blocks drawn at random */
	bool interval;
};

static const struct scenario scenarios[] = {
	[SIM_FALSE_ALARM] = {.margin = NO_MARGIN, .gate = -1, .interval = true},
	[SIM_SAME] = {.margin = 1, .gate = -1},
	[SIM_AT_MARGIN] = {.effect = 1, .margin = 1, .gate = -1, .either_sign = true},
	[SIM_GATE] = {.effect = 1, .margin = 1, .gate = 1},
	[SIM_HALF_SD] = {.effect = 0.5, .margin = NO_MARGIN, .gate = -1, .interval = true},
	[SIM_TWO_SD] = {.effect = 2, .margin = 0.2, .gate = -1, .either_sign = true},
	[SIM_FIVE_SD] = {.effect = 5, .margin = 0.2, .gate = -1, .either_sign = true},
	[SIM_OUT_OF_TIME] = {.margin = NO_MARGIN, .gate = -1, .timed = true},
	[SIM_FIXED] = {.effect = 0.5,
		       .margin = NO_MARGIN,
		       .gate = -1,
		       .fixed = true,
		       .interval = true},
};

struct plans {
	struct judge_plan sequential, fixed;
	struct judge_plan ended[SIM_BLOCKS_MAX + 1]; /* by time, at so many blocks */
};

static int make_plans(struct plans *plans)
{
	const struct sequential *looks = &plans->sequential.difference;
	int err;

	err = judge_plan_sequential(&plans->sequential, SIM_BLOCKS_MAX, 0.05);
	if (!err)
		err = judge_plan_fixed(&plans->fixed, SIM_FIXED_N, 0.05);
	for (size_t n = JUDGE_LOW_N; !err && n <= SIM_BLOCKS_MAX; n++) {
		size_t done = 0;

		while (looks->n[done] < n)
			done++;
		plans->ended[n] = plans->sequential;
		err = judge_plan_end(&plans->ended[n], done, n);
	}
	return err;
}

/* Looks until something is decided; *n is where. */
static int decide(const struct judge_plan *plan, const struct scenario *s, const double *a,
		  const double *b, struct judgement *j, struct judge_rules *rules, size_t *n,
		  enum judge_decision *verdict, enum judge_gate *gate)
{
	for (size_t k = 0; k < plan->difference.looks; k++) {
		bool last = k + 1 == plan->difference.looks;
		struct judge_data data = {.paired = true};
		int err;

		*n = plan->difference.n[k];
		data.a = (struct judge_side){.values = a, .n = *n};
		data.b = (struct judge_side){.values = b, .n = *n};
		err = judge_plan_rules(plan, k, rules);
		if (!err)
			err = judge(j, &data, rules, JUDGE_TESTS);
		if (err)
			return err;
		*verdict = judge_look(j, rules, j->p, last);
		*gate = judge_gate_look(j, rules, last);
		if (last || (s->gate < 0 ? *verdict != JUDGE_GO_ON : *gate != JUDGE_GATE_GO_ON)) {
			if (s->interval)
				err = judge(j, &data, rules, JUDGE_ALL);
			return err;
		}
	}
	return -EINVAL;
}

static void count(struct sim_tally *t, const struct scenario *s, const struct judgement *j,
		  const struct judge_rules *rules, double effect, size_t n,
		  enum judge_decision verdict, enum judge_gate gate)
{
	double truth = effect / SIM_BASE;
	bool rejected = j->p <= rules->level;

	t->replicates++;
	t->higher += verdict == JUDGE_HIGHER;
	t->lower += verdict == JUDGE_LOWER;
	t->same += verdict == JUDGE_SAME;
	t->right += verdict == (effect > 0 ? JUDGE_HIGHER : JUDGE_LOWER);
	t->unclear += verdict == JUDGE_UNCLEAR;
	t->pass += gate == JUDGE_GATE_PASS;
	t->fail += gate == JUDGE_GATE_FAIL;
	t->blocks += (double)n;
	t->blocks_squared += (double)n * (double)n;
	t->estimate += j->change.estimate * SIM_BASE;
	if (!s->interval)
		return;
	/* The ends are powers of e: a truth that is an end may miss it by a rounding. */
	t->covered += j->change.low <= truth + 1e-12 && truth - 1e-12 <= j->change.high;
	/* With ties an end may be no change itself; strictly outside is a contradiction. */
	t->disagreed += rejected ? j->change.low < -1e-12 && j->change.high > 1e-12
				 : j->change.low > 1e-12 || j->change.high < -1e-12;
}

static int replicate(const struct plans *plans, const struct sim_noise *noise,
		     enum sim_scenario scenario, uint64_t number, struct sim_random *r,
		     struct sim_tally *t)
{
	const struct scenario *s = &scenarios[scenario];
	const struct judge_plan *plan = s->fixed ? &plans->fixed : &plans->sequential;
	struct judge_rules rules = {.margin = s->margin / SIM_BASE,
				    .gate = s->gate < 0 ? -1 : s->gate / SIM_BASE};
	double a[SIM_MAX_PAIRS], b[SIM_MAX_PAIRS], effect = s->effect;
	enum judge_decision verdict;
	enum judge_gate gate;
	struct judgement j;
	size_t n;
	int err;

	if (s->either_sign && number % 2)
		effect = -effect;
	if (s->timed)
		plan = &plans->ended[JUDGE_LOW_N + sim_random_bits(r) %
							(SIM_BLOCKS_MAX + 1 - JUDGE_LOW_N)];
	sim_experiment(noise, r, SIM_BLOCKS, effect, a, b, plan->difference.max_n);
	err = decide(plan, s, a, b, &j, &rules, &n, &verdict, &gate);
	if (!err)
		count(t, s, &j, &rules, effect, n, verdict, gate);
	return err;
}

static void replicate_rules(const struct sim_noise *noise, enum sim_scenario scenario,
			    struct sim_random *r, struct sim_tally *t)
{
	double a[SIM_MAX_PAIRS], b[SIM_MAX_PAIRS];

	sim_experiment(noise, r, scenario == SIM_RULES_AAAA ? SIM_AAAA : SIM_BLOCKS,
		       scenario == SIM_RULES_SEEN ? 1 : 0, a, b, SIM_FIXED_N);
	t->replicates++;
	for (size_t k = 0; k < sim_rule_count; k++)
		t->rule[k] += sim_rules[k].differ(a, b, SIM_FIXED_N);
}

/* Every jobs-th replicate of everything. */
static int work(const struct sim_settings *settings, unsigned job, struct sim_tally *results)
{
	struct plans plans;
	int err;

	err = make_plans(&plans);
	for (size_t cell = 0; !err && cell < sim_noise_count * SIM_SCENARIOS; cell++) {
		const struct sim_noise *noise = &sim_noises[cell / SIM_SCENARIOS];
		enum sim_scenario scenario = (enum sim_scenario)(cell % SIM_SCENARIOS);

		for (uint64_t k = job; !err && k < settings->replicates; k += settings->jobs) {
			struct sim_random r;

			/* A stream of its own, whatever scenarios are added. */
			sim_random_seed(&r, settings->seed,
					(uint64_t)(cell / SIM_SCENARIOS * 64 + scenario) << 40 | k);
			if (scenario >= SIM_RULES)
				replicate_rules(noise, scenario, &r, &results[cell]);
			else
				err = replicate(&plans, noise, scenario, k, &r, &results[cell]);
		}
	}
	return err;
}

static void add(struct sim_tally *to, const struct sim_tally *from)
{
	to->replicates += from->replicates;
	to->higher += from->higher;
	to->lower += from->lower;
	to->same += from->same;
	to->right += from->right;
	to->unclear += from->unclear;
	to->pass += from->pass;
	to->fail += from->fail;
	to->covered += from->covered;
	to->disagreed += from->disagreed;
	to->blocks += from->blocks;
	to->blocks_squared += from->blocks_squared;
	to->estimate += from->estimate;
	for (size_t k = 0; k < SIM_RULES_MAX; k++)
		to->rule[k] += from->rule[k];
}

int sim_run(const struct sim_settings *settings, struct sim_tally *results)
{
	size_t cells = sim_noise_count * SIM_SCENARIOS, size;
	struct sim_tally *shared;
	int failed = 0, status;

	size = settings->jobs * cells * sizeof(*shared);
	shared = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (shared == MAP_FAILED)
		return -errno;
	for (unsigned job = 0; job < settings->jobs; job++) {
		pid_t child = fork();

		if (child == 0)
			_exit(work(settings, job, shared + job * cells) ? 1 : 0);
		failed |= child < 0;
	}
	while (wait(&status) > 0)
		failed |= status != 0;
	for (size_t cell = 0; cell < cells; cell++) {
		memset(&results[cell], 0, sizeof(results[cell]));
		for (unsigned job = 0; job < settings->jobs; job++)
			add(&results[cell], &shared[job * cells + cell]);
	}
	munmap(shared, size);
	return failed ? -EIO : 0;
}
