/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One run: from the clock before the spawn to the last process reaped and the counters read.
 */
#ifndef ABSTAT_EXECUTE_H
#define ABSTAT_EXECUTE_H

#include <stdbool.h>
#include <stddef.h>

#include "capture.h"
#include "counter.h"
#include "launch.h"
#include "run.h"
#include "spawner.h"

struct executor {
	const struct run_config *config;
	struct launcher launcher;
	struct counter_set *set; /* NULL: nothing is counted */
	size_t n_slots;
	struct counter_value *before;
	struct counter_value *after;
	bool before_valid; /* the last run's end is the next one's start */
	struct scope_set *scopes; /* NULL: runs are not probed */
	size_t n_scope_costs;
	struct scope_result *scope_result; /* of the next run */
	bool scopes_valid;                 /* the last run's was filled in */
	bool capture_out;
	struct capture out;
	struct capture err;
	void *child_stack; /* top of it */
	char *message;     /* where an error says what failed */
	size_t message_size;
};

/*
 * Executes REQUEST and fills in RESULT, VALUES (n_slots) and where its output is. Whatever becomes
 * of the command is a result; returns -errno with a message if the spawner itself cannot go on.
 */
int execute_run(struct executor *e, const struct run_request *request, struct run_result *result,
		struct counter_value *values, struct captured *out, struct captured *err);

#endif
