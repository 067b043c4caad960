/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What is said of a run that did not end well.
 */
#ifndef ABSTAT_FAILURE_H
#define ABSTAT_FAILURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct run_config;
struct run_output;
struct run_request;
struct run_result;
struct scope_target;
struct variant;

/* Which run of which variant this was. */
struct failure_place {
	const struct variant *variant;
	uint32_t run;	   /* from 1 */
	bool warmup;	   /* it was a warm-up run */
	bool probed;
	const struct run_config *config;
	/* A scope whose return address the kernel replaced, or NULL, and its name. */
	const struct scope_target *returned;
	const char *scope;
};

/*
 * Writes to ERR what happened: the variant, the run, the status, what can be done, and the last lines of the run's
 * stderr.
 */
void failure_describe(const struct failure_place *place, const struct run_result *result,
		      const struct run_output *output, char *err, size_t err_size);

#endif
