/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sim.c - measures the error rates of the whole procedure on models of noise.
 *
 *     sim [--replicates N] [--jobs N] [--seed N] [--allowance Z] [--mdoc FILE]
 *
 * Prints the tables, and a line FAIL for every rate outside its limit; exits 1 if there was one.
 * --allowance: how many of its standard errors a rate may be outside; 4 is for short runs, 0 for
 * 10,000 replicates or more. --mdoc writes the tables into FILE too, as
 * rows for the manual page.
 */
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "simcheck.h"
#include "simtable.h"

static unsigned long long number(const char *text)
{
	char *end;
	unsigned long long value;

	errno = 0;
	value = strtoull(text, &end, 10);
	if (errno || *end || end == text) {
		fprintf(stderr, "sim: not a number: %s\n", text);
		exit(2);
	}
	return value;
}

static int write_mdoc(const char *path, const struct sim_tally *results)
{
	FILE *out = fopen(path, "w");

	if (!out) {
		perror(path);
		return -1;
	}
	sim_print(out, results, true);
	if (fclose(out)) {
		perror(path);
		return -1;
	}
	return 0;
}

int main(int argc, char **argv)
{
	static const struct option options[] = {{"replicates", required_argument, NULL, 'r'},
						{"jobs", required_argument, NULL, 'j'},
						{"seed", required_argument, NULL, 's'},
						{"allowance", required_argument, NULL, 'a'},
						{"mdoc", required_argument, NULL, 'm'},
						{0}};
	struct sim_settings settings = {.seed = 1, .replicates = 10000, .jobs = 1};
	double allowance = 0;
	const char *mdoc = NULL;
	struct sim_tally *results;
	int option, err, bad;

	while ((option = getopt_long(argc, argv, "", options, NULL)) != -1) {
		switch (option) {
		case 'r':
			settings.replicates = number(optarg);
			break;
		case 'j':
			settings.jobs = (unsigned)number(optarg);
			break;
		case 's':
			settings.seed = number(optarg);
			break;
		case 'a':
			allowance = (double)number(optarg);
			break;
		case 'm':
			mdoc = optarg;
			break;
		default:
			return 2;
		}
	}
	if (settings.replicates == 0 || settings.jobs == 0 || settings.jobs > 256) {
		fprintf(stderr, "sim: there must be replicates, and 1 to 256 jobs\n");
		return 2;
	}
	results = calloc(sim_noise_count * SIM_SCENARIOS, sizeof(*results));
	if (!results)
		return 2;
	err = sim_run(&settings, results);
	if (err) {
		fprintf(stderr, "sim: a worker failed: %s\n", strerror(-err));
		free(results);
		return 2;
	}
	sim_print(stdout, results, false);
	if (mdoc && write_mdoc(mdoc, results))
		return 2;
	bad = sim_check(results, allowance);
	printf("%d rates outside their limits\n", bad);
	free(results);
	return bad ? 1 : 0;
}
