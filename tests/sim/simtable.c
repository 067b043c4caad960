/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * simtable.c - tables of measured rates.
 */
#include "simtable.h"

#include "simcheck.h"
#include "simrules.h"

struct column {
	const char *title;
	enum sim_scenario scenario;
	char what; /* d different, s same, c covered, f fail, p pass, b blocks, e estimate, r right */
};

static const struct column columns[] = {
	{"false", SIM_FALSE_ALARM, 'd'},   {"cover", SIM_FALSE_ALARM, 'c'},
	{"cover.5", SIM_HALF_SD, 'c'},     {"reads", SIM_HALF_SD, 'e'},
	{"same", SIM_SAME, 's'},           {"blocks", SIM_SAME, 'b'},
	{"at m", SIM_AT_MARGIN, 's'},      {"gate 1", SIM_GATE, 'f'},
	{"gate 0", SIM_GATE, 'p'},         {"2 sd", SIM_TWO_SD, 'd'},
	{"blocks", SIM_TWO_SD, 'b'},       {"5 sd", SIM_FIVE_SD, 'b'},
	{"pow.5", SIM_FIXED, 'd'},         {"cov20", SIM_FIXED, 'c'},
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
		const struct sim_tally *t = &results[noise * SIM_SCENARIOS + c->scenario];
		double n = (double)t->replicates;

		switch (c->what) {
		case 'd':
			cell(out, mdoc, sim_rate(t->higher + t->lower, t), true);
			break;
		case 's':
			cell(out, mdoc, sim_rate(t->same, t), true);
			break;
		case 'c':
			cell(out, mdoc, sim_rate(t->covered, t), true);
			break;
		case 'f':
			cell(out, mdoc, sim_rate(t->fail, t), true);
			break;
		case 'p':
			cell(out, mdoc, sim_rate(t->pass, t), true);
			break;
		case 'b':
			cell(out, mdoc, t->blocks / n, false);
			break;
		default:
			cell(out, mdoc, t->estimate / n, false);
		}
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
			cell(out, mdoc, sim_rate(t->rule[k], t), true);
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
