/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The option tables: what they take, and what they refuse, in which words and with which status. */
#include <argp.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cmocka.h>

#include "command.h"
#include "options.h"

enum { MOST = 24 };

struct all {
	struct event_options event;
	struct plan_options plan;
	struct run_options run;
	struct judge_options judge;
	struct save_options save;
	struct output_options output;
};

static error_t parse_none(int key, char *arg, struct argp_state *state)
{
	struct all *a = state->input;

	(void)arg;
	if (key != ARGP_KEY_INIT)
		return ARGP_ERR_UNKNOWN;
	state->child_inputs[0] = &a->event;
	state->child_inputs[1] = &a->plan;
	state->child_inputs[2] = &a->run;
	state->child_inputs[3] = &a->judge;
	state->child_inputs[4] = &a->save;
	state->child_inputs[5] = &a->output;
	state->child_inputs[6] = &a->judge;
	return 0;
}

/* Parses the words (NULL-terminated); they are copied, because options borrow them and may change
 * them. */
static void parse(struct all *a, char **words)
{
	static const struct argp_child children[] = {
	    {&event_argp, 0, NULL, 0},
	    {&plan_argp, 0, NULL, 0},
	    {&run_argp, 0, NULL, 0},
	    {&primary_argp, 0, NULL, 0},
	    {&save_argp, 0, NULL, 0},
	    {&output_argp, 0, NULL, 0},
	    {&judge_argp, 0, NULL, 0},
	    {0},
	};
	static const struct argp argp = {.parser = parse_none, .children = children};
	static char program[] = "abstat";
	char *argv[MOST + 2] = {program};
	int argc = 1;

	for (; words[argc - 1]; argc++)
		argv[argc] = words[argc - 1];
	event_options_init(&a->event);
	plan_options_init(&a->plan);
	run_options_init(&a->run);
	judge_options_init(&a->judge);
	output_options_init(&a->output);
	a->save = (struct save_options){0};
	assert_int_equal(argp_parse(&argp, argc, argv, 0, NULL, a), 0);
}

static void release(struct all *a)
{
	event_options_release(&a->event);
	run_options_release(&a->run);
	judge_options_release(&a->judge);
}

static void split(const char *text, char *copy, char **words)
{
	char *save = NULL;
	int n = 0;

	snprintf(copy, 500, "%s", text);
	for (char *w = strtok_r(copy, " ", &save); w; w = strtok_r(NULL, " ", &save))
		words[n++] = w;
	words[n] = NULL;
}

static void defaults(struct all *a, const char *text)
{
	static char copy[500];
	char *words[MOST + 1];

	split(text, copy, words);
	parse(a, words);
}

/* The first line that TEXT makes the parser print before it ends with the status of a usage error.
 */
static void refused(const char *text, const char *message)
{
	char out[4000] = "", expected[600], copy[500], *words[MOST + 1];
	int fd[2], status;
	size_t len = 0;
	ssize_t n;

	assert_int_equal(pipe(fd), 0);
	fflush(NULL);
	pid_t pid = fork();

	if (pid == 0) {
		struct all a;

		dup2(fd[1], STDERR_FILENO);
		close(fd[0]);
		argp_err_exit_status = STATUS_USAGE;
		split(text, copy, words);
		parse(&a, words);
		_exit(0);
	}
	close(fd[1]);
	while ((n = read(fd[0], out + len, sizeof(out) - 1 - len)) > 0)
		len += (size_t)n;
	close(fd[0]);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	if (!WIFEXITED(status) || WEXITSTATUS(status) != STATUS_USAGE)
		fail_msg("'%s' ended with %#x: %s", text, status, out);
	out[strcspn(out, "\n")] = '\0';
	snprintf(expected, sizeof(expected), "abstat: %s", message);
	if (strcmp(out, expected))
		fail_msg("'%s':\n  %s\nis not\n  %s", text, out, expected);
}

static void test_conflicts(void **state)
{
	(void)state;
	refused("-r 5 --min-runs 3", "-r N is exactly N runs: leave out --min-runs and --max-runs");
	refused("--max-runs 3 -r 5", "-r N is exactly N runs: leave out --min-runs and --max-runs");
	refused("-r 5 --precision 1%", "-r N is exactly N runs: leave out --precision");
	refused("--min-runs 5 --max-runs 3", "--min-runs 5 is more than --max-runs 3");
	refused("--null -e cycles", "--null counts no events: leave out -e and -d");
	refused("--null -d", "--null counts no events: leave out -e and -d");
	refused("--baseline A --pairs A:B",
		"--pairs says what is compared with what: leave out --baseline");
	refused("--save x --resume y", "--resume goes on writing to its file: leave out --save");
}

static void test_wrong_values(void **state)
{
	(void)state;
	refused("-r 0", "-r: '0' is not a whole number from 1 to 100000000");
	refused("-r -1", "-r: '-1' is not a whole number from 1 to 100000000");
	refused("-r ten", "-r: 'ten' is not a whole number from 1 to 100000000");
	refused("--warmup -1", "--warmup: '-1' is not a whole number from 0 to 1000000");
	refused("--seed 18446744073709551616",
		"--seed: '18446744073709551616' is not a whole number of at least 0");
	refused("--max-time 30", "--max-time: '30' has no unit: write 30s or 30min");
	refused("--max-time 0s", "--max-time: must be more than 0");
	refused("--run-timeout 10", "--run-timeout: '10' has no unit: write 10s or 10min");
	refused("--run-timeout 0s", "--run-timeout: must be more than 0");
	refused("--precision 1", "--precision: '1' has no unit: write 1%");
	refused("--precision 0%", "--precision: must be more than 0");
	refused("--margin 0%", "--margin: '0%' must be more than 0% and less than 100%");
	refused("--margin 100%", "--margin: '100%' must be more than 0% and less than 100%");
	refused("--margin cycles", "--margin: 'cycles' is not a percentage: write 0.5% or 1%");
	refused("--margin cycles=5", "--margin: '5' has no unit: write 5%");
	refused("--gate=1", "--gate: '1' has no unit: write 1%");
	refused("--gate=cycles", "--gate: 'cycles' is not a percentage: write 0.5% or 1%");
	refused("--gate=1000%", "--gate: '1000%' is not a useful limit (1000% or more)");
	refused("--unclear-status 256",
		"--unclear-status: '256' is not a whole number from 0 to 255");
	refused("--alpha x", "--alpha: 'x' is not a number");
	refused("--alpha 0", "--alpha: 0 is not at least 0.000001 and less than 0.5");
	refused("--alpha 0.5", "--alpha: 0.5 is not at least 0.000001 and less than 0.5");
	refused("--alpha nan", "--alpha: 'nan' is not a number");
	refused("--stragglers leave", "--stragglers: 'leave' is none of kill, wait, error");
	refused("--layout none", "--layout: 'none' is neither aslr nor block");
	refused("--cpus x", "--cpus: 'x' is not a list of CPUs: write 0-3,8");
	refused("--ok-status 256", "--ok-status: '256' is not a whole number from 0 to 255");
	refused("--ok-status 0,,1", "--ok-status: '' is not a whole number from 0 to 255");
	refused("--ok-status 100000000,1",
		"--ok-status: '100000000,1' is not a list of statuses: write 0,1");
	refused("--env =x", "--env: '=x' has no name: write NAME=VALUE");
	refused("-L a=1 -L a=2", "-L: {a} is given twice");
	refused("--format html5", "--format: 'html5' is none of text, json, csv, markdown");
	refused("--color sometimes", "--color: 'sometimes' is none of auto, always, never");
	refused("-x ,,", "-x: the separator is one character, as in -x, or -x\\\\t");
}

static void test_defaults(void **state)
{
	struct all a;

	(void)state;
	defaults(&a, "");
	assert_int_equal(a.plan.runs, 0);
	assert_int_equal(a.plan.warmup, 1);
	assert_true(isnan(a.plan.precision));
	assert_false(a.plan.seed_given);
	assert_true(isnan(a.judge.alpha) && isnan(a.judge.margin) && isnan(a.judge.gate_margin));
	assert_int_equal(a.judge.unclear_status, 125);
	assert_false(a.judge.gate);
	assert_string_equal(a.output.format, "text");
	assert_int_equal(a.output.separator, ',');
	assert_null(a.run.config.ok_status);
	assert_int_equal(a.run.config.grace_ns, 1000000000);
	assert_null(a.run.config.env);
	release(&a);
}

static void test_events(void **state)
{
	struct all a;

	(void)state;
	defaults(&a,
		 "-e cycles,instructions -e r4 -d -d -d --metric x=cycles/2 --multiplex -C 0-1 -A");
	assert_int_equal(a.event.events.n, 2);
	assert_string_equal(a.event.events.v[0], "cycles,instructions");
	assert_string_equal(a.event.events.v[1], "r4");
	assert_int_equal(a.event.detail, 3);
	assert_string_equal(a.event.metrics.v[0], "x=cycles/2");
	assert_true(a.event.multiplex && a.event.system_wide && a.event.per_cpu);
	assert_string_equal(a.event.cpu_list, "0-1");
	release(&a);
}

static void test_plan(void **state)
{
	struct all a;

	(void)state;
	defaults(&a,
		 "--min-runs 5 --max-runs 5 --max-time 1.5s --precision 0.5% --warmup 0 --seed 0");
	assert_int_equal(a.plan.min_runs, 5);
	assert_int_equal(a.plan.max_runs, 5);
	assert_int_equal(a.plan.max_time_ns, 1500000000);
	assert_true(a.plan.precision == 0.005);
	assert_int_equal(a.plan.warmup, 0);
	assert_true(a.plan.seed_given && a.plan.seed == 0);
	release(&a);
	defaults(&a, "--runs=7 --max-time 1h");
	assert_int_equal(a.plan.runs, 7);
	release(&a);
}

static void test_judging(void **state)
{
	struct all a;

	(void)state;
	defaults(&a, "--margin 2% --margin cycles:u=5% --margin a=b=3% --gate --alpha 0.01 --fdr");
	assert_true(a.judge.margin == 0.02);
	assert_int_equal(a.judge.n_margins, 2);
	assert_string_equal(a.judge.margins[0].metric, "cycles:u");
	assert_true(a.judge.margins[0].margin == 0.05);
	assert_string_equal(a.judge.margins[1].metric, "a=b");
	assert_true(a.judge.gate && isnan(a.judge.gate_margin) && !a.judge.gate_metric);
	assert_true(a.judge.alpha == 0.01 && a.judge.fdr);
	release(&a);
	defaults(&a, "--gate=2% --unclear-status 0");
	assert_true(a.judge.gate && a.judge.gate_margin == 0.02 && !a.judge.gate_metric);
	assert_int_equal(a.judge.unclear_status, 0);
	release(&a);
	defaults(&a, "--gate=1% --gate=instructions=0% --higher-is-better a --higher-is-better b");
	assert_string_equal(a.judge.gate_metric, "instructions");
	assert_true(a.judge.gate_margin == 0);
	assert_int_equal(a.judge.higher.n, 2);
	release(&a);
}

static void test_runs(void **state)
{
	struct all a;

	(void)state;
	defaults(
	    &a,
	    "--ok-status 0,3,255 --run-timeout 2min --stragglers wait --stdout pipe --layout block "
	    "--env A=1 --env B");
	for (int i = 0; i < 256; i++)
		assert_int_equal(a.run.config.ok_status[i], i == 0 || i == 3 || i == 255);
	assert_int_equal(a.run.config.timeout_ns, 120000000000);
	assert_int_equal(a.run.config.stragglers, STRAGGLERS_WAIT);
	assert_int_equal(a.run.config.stdout_mode, STREAM_PIPE);
	assert_true(a.run.config.layout_block);
	assert_string_equal(a.run.config.env[0], "A=1");
	assert_string_equal(a.run.config.env[1], "B");
	assert_null(a.run.config.env[2]);
	release(&a);
	/* Only those given count; the last --stdout wins. */
	defaults(&a, "--ok-status 7 --stdout out.txt --stdout null --pre x --post y");
	assert_int_equal(a.run.config.ok_status[0], 0);
	assert_int_equal(a.run.config.ok_status[7], 1);
	assert_int_equal(a.run.config.stdout_mode, STREAM_NULL);
	assert_null(a.run.config.stdout_path);
	assert_string_equal(a.run.prepares.v[0], "x");
	assert_string_equal(a.run.concludes.v[0], "y");
	release(&a);
}

static void test_output(void **state)
{
	struct all a;

	(void)state;
	defaults(&a, "-j -o f.json --color never -v -v -q");
	assert_string_equal(a.output.format, "json");
	assert_string_equal(a.output.path, "f.json");
	assert_int_equal(a.output.color, COLOR_NEVER);
	assert_int_equal(a.output.verbose, 2);
	assert_true(a.output.quiet);
	release(&a);
	defaults(&a, "-x;");
	assert_string_equal(a.output.format, "csv");
	assert_int_equal(a.output.separator, ';');
	release(&a);
	defaults(&a, "-x\\t");
	assert_int_equal(a.output.separator, '\t');
	release(&a);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_conflicts), cmocka_unit_test(test_wrong_values),
	    cmocka_unit_test(test_defaults),  cmocka_unit_test(test_events),
	    cmocka_unit_test(test_plan),      cmocka_unit_test(test_judging),
	    cmocka_unit_test(test_runs),      cmocka_unit_test(test_output),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
