/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * simtable.c - tables of measured rates, a row for each model of noise.
 */
#include "simtable.h"

#include "simrate.h"
#include "simrules.h"

struct column {
	const char *title;
	enum sim_scenario scenario;
	double (*figure)(const struct sim_tally *t);
	bool share;
};

static const struct column errors[] = {
	{"false", SIM_FALSE_ALARM, sim_rate_different, true},
	{"timed", SIM_OUT_OF_TIME, sim_rate_different, true},
	{"at m", SIM_AT_MARGIN, sim_rate_same, true},
	{"gate 1", SIM_GATE, sim_rate_fail, true},
	{"gate 0", SIM_GATE, sim_rate_pass, true},
	{"cover 0", SIM_FALSE_ALARM, sim_rate_covered, true},
	{"cover .5", SIM_HALF_SD, sim_rate_covered, true},
	{"n = 20", SIM_FIXED, sim_rate_covered, true},
	{},
};

static const struct column yields[] = {
	{"same", SIM_SAME, sim_rate_same, true},
	{"blocks", SIM_SAME, sim_mean_blocks, false},
	{"2 sd", SIM_TWO_SD, sim_rate_right, true},
	{"blocks", SIM_TWO_SD, sim_mean_blocks, false},
	{"5 sd", SIM_FIVE_SD, sim_mean_blocks, false},
	{".5 sd", SIM_HALF_SD, sim_rate_different, true},
	{"reads", SIM_HALF_SD, sim_mean_estimate, false},
	{"n = 20", SIM_FIXED, sim_rate_different, true},
	{},
};

static void cell(FILE *out, bool mdoc, double value, bool share)
{
	char text[16];
	const char *shown = text;

	snprintf(text, sizeof(text), share ? "%.3f" : value < 5 ? "%.2f" : "%.1f", value);
	if (share && text[0] == '0')
		shown++;
	fprintf(out, mdoc ? " Ta %s" : " %9s", shown);
}

static void head(FILE *out, bool mdoc, const char *title)
{
	if (mdoc)
		fprintf(out, ".\\\" %s\n.It", title);
	else
		fprintf(out, "\n%s\n%-14s", title, "");
}

static void heading(FILE *out, bool mdoc, const char *title)
{
	fprintf(out, mdoc ? " Ta Sy %s" : " %9s", title);
}

static void by_columns(FILE *out, const struct sim_tally *results, bool mdoc, const char *title,
		       const struct column *columns)
{
	head(out, mdoc, title);
	for (const struct column *c = columns; c->title; c++)
		heading(out, mdoc, c->title);
	fprintf(out, "\n");
	for (size_t m = 0; m < sim_noise_count; m++) {
		fprintf(out, mdoc ? ".It %s" : "%-14s", sim_noises[m].name);
		for (const struct column *c = columns; c->title; c++)
			cell(out, mdoc, c->figure(&results[m * SIM_SCENARIOS + c->scenario]),
			     c->share);
		fprintf(out, "\n");
	}
}

static void by_rules(FILE *out, const struct sim_tally *results, bool mdoc, const char *title,
		     enum sim_scenario scenario)
{
	head(out, mdoc, title);
	for (size_t k = 0; k < sim_rule_count; k++)
		heading(out, mdoc, sim_rules[k].name);
	fprintf(out, "\n");
	for (size_t m = 0; m < sim_noise_count; m++) {
		fprintf(out, mdoc ? ".It %s" : "%-14s", sim_noises[m].name);
		for (size_t k = 0; k < sim_rule_count; k++)
			cell(out, mdoc, sim_rate_rule(&results[m * SIM_SCENARIOS + scenario], k),
			     true);
		fprintf(out, "\n");
	}
}

void sim_print(FILE *out, const struct sim_tally *results, bool mdoc)
{
	fprintf(out, mdoc ? ".\\\" N = %d, %llu replicates\n" : "N = %d, %llu replicates each\n",
		SIM_BLOCKS_MAX, (unsigned long long)results[0].replicates);
	by_columns(out, results, mdoc, "Errors, and coverage of intervals", errors);
	by_columns(out, results, mdoc, "What is found, and in how many blocks", yields);
	by_rules(out, results, mdoc, "A = A, n = 20, random blocks: called different", SIM_RULES);
	by_rules(out, results, mdoc, "A = A, n = 20, all of A before all of B", SIM_RULES_AAAA);
	by_rules(out, results, mdoc, "1 sd apart, n = 20, random blocks: seen", SIM_RULES_SEEN);
}
