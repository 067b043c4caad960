/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * simtable.c - tables of measured rates.
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

static const struct column columns[] = {
	{"false", SIM_FALSE_ALARM, sim_rate_different, true},
	{"cover 0", SIM_FALSE_ALARM, sim_rate_covered, true},
	{"cover .5", SIM_HALF_SD, sim_rate_covered, true},
	{".5 reads", SIM_HALF_SD, sim_mean_estimate, false},
	{"same", SIM_SAME, sim_rate_same, true},
	{"blocks", SIM_SAME, sim_mean_blocks, false},
	{"at m", SIM_AT_MARGIN, sim_rate_same, true},
	{"gate: 1", SIM_GATE, sim_rate_fail, true},
	{"gate: 0", SIM_GATE, sim_rate_pass, true},
	{"2 sd", SIM_TWO_SD, sim_rate_right, true},
	{"blocks", SIM_TWO_SD, sim_mean_blocks, false},
	{"5 sd", SIM_FIVE_SD, sim_mean_blocks, false},
	{"power", SIM_FIXED, sim_rate_different, true},
	{"cover 20", SIM_FIXED, sim_rate_covered, true},
};

enum { COLUMNS = sizeof(columns) / sizeof(*columns) };

static void cell(FILE *out, bool mdoc, double value, bool share)
{
	char text[16];
	const char *shown = text;

	snprintf(text, sizeof(text), share ? "%.3f" : value < 5 ? "%.2f" : "%.1f", value);
	if (share && text[0] == '0')
		shown++;
	fprintf(out, mdoc ? " Ta %s" : " %8s", shown);
}

static void sequential(FILE *out, const struct sim_tally *results, bool mdoc, size_t noise)
{
	for (size_t k = 0; k < COLUMNS; k++) {
		const struct column *c = &columns[k];

		cell(out, mdoc, c->figure(&results[noise * SIM_SCENARIOS + c->scenario]), c->share);
	}
}

static void rules(FILE *out, const struct sim_tally *results, bool mdoc, enum sim_scenario scenario,
		  const char *title)
{
	fprintf(out, mdoc ? ".\\\" %s\n" : "\n%s\n", title);
	if (!mdoc) {
		fprintf(out, "%-14s", "");
		for (size_t k = 0; k < sim_rule_count; k++)
			fprintf(out, " %9s", sim_rules[k].name);
		fprintf(out, "\n");
	}
	for (size_t m = 0; m < sim_noise_count; m++) {
		const struct sim_tally *t = &results[m * SIM_SCENARIOS + scenario];

		fprintf(out, mdoc ? ".It %s" : "%-14s", sim_noises[m].name);
		for (size_t k = 0; k < sim_rule_count; k++) {
			if (!mdoc)
				fprintf(out, " ");
			cell(out, mdoc, sim_rate_rule(t, k), true);
		}
		fprintf(out, "\n");
	}
}

void sim_print(FILE *out, const struct sim_tally *results, bool mdoc)
{
	fprintf(out, mdoc ? ".\\\" End to end, N = %d, %llu replicates\n"
			  : "End to end, N = %d, %llu replicates each\n",
		SIM_BLOCKS_MAX, (unsigned long long)results[0].replicates);
	if (!mdoc) {
		fprintf(out, "%-14s", "");
		for (size_t k = 0; k < COLUMNS; k++)
			fprintf(out, " %8s", columns[k].title);
		fprintf(out, "\n");
	}
	for (size_t m = 0; m < sim_noise_count; m++) {
		fprintf(out, mdoc ? ".It %s" : "%-14s", sim_noises[m].name);
		sequential(out, results, mdoc, m);
		fprintf(out, "\n");
	}
	rules(out, results, mdoc, SIM_RULES, "A = A, n = 20, random blocks: called different");
	rules(out, results, mdoc, SIM_RULES_AAAA, "A = A, n = 20, all of A before all of B");
	rules(out, results, mdoc, SIM_RULES_SEEN, "1 sd apart, n = 20, random blocks: seen");
}
