/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Options that say how a run is executed. */
#include "options.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "machine.h"
#include "quantity.h"

enum {
	KEY_TIMEOUT = 0x400,
	KEY_STRAGGLERS,
	KEY_STDIN,
	KEY_STDOUT,
	KEY_SETUP,
	KEY_PREPARE,
	KEY_CONCLUDE,
	KEY_CLEANUP,
	KEY_CWD,
	KEY_ENV,
	KEY_SHELL,
	KEY_NAME,
	KEY_CPUS,
	KEY_LAYOUT,
	KEY_OK_STATUS,
	KEY_IGNORE_FAILURE,
};

static const struct argp_option options[] = {
	{NULL, 0, NULL, 0, "How a run is executed:", 3},
	{"parameter-list", 'L', "NAME=V1,V2,...", 0,
	 "A parameter: {NAME} in commands, hooks and names takes each value in turn", 0},
	{"name", KEY_NAME, "NAME", 0, "What a command is called in the report; once for each", 0},
	{"command-name", KEY_NAME, NULL, OPTION_ALIAS | OPTION_HIDDEN, NULL, 0},
	{"shell", KEY_SHELL, NULL, 0, "Run each command by sh -c", 0},
	{"setup", KEY_SETUP, "CMD", 0, "Run CMD by sh once, before the first block", 0},
	{"prepare", KEY_PREPARE, "CMD", 0, "Run CMD by sh before every run", 0},
	{"pre", KEY_PREPARE, NULL, OPTION_ALIAS, NULL, 0},
	{"conclude", KEY_CONCLUDE, "CMD", 0, "Run CMD by sh after every run", 0},
	{"post", KEY_CONCLUDE, NULL, OPTION_ALIAS, NULL, 0},
	{"cleanup", KEY_CLEANUP, "CMD", 0, "Run CMD by sh once, at the end", 0},
	{"run-timeout", KEY_TIMEOUT, "TIME", 0, "Kill a run that takes longer, as 30s or 5min", 0},
	{"stragglers", KEY_STRAGGLERS, "WHAT", 0,
	 "Processes that outlive the command by a second: kill (default), wait or error", 0},
	{"stdin", KEY_STDIN, "FILE", 0, "Each run reads FILE (default /dev/null)", 0},
	{"stdout", KEY_STDOUT, "WHERE", 0, "null (default), pipe, inherit, or a file", 0},
	{"cwd", KEY_CWD, "DIR", 0, "Run in DIR", 0},
	{"env", KEY_ENV, "NAME[=VALUE]", 0, "Set, or without = remove, an environment variable", 0},
	{"cpus", KEY_CPUS, "LIST", 0, "Run on these CPUs only, as 0-3,8", 0},
	{"layout", KEY_LAYOUT, "HOW", 0,
	 "aslr (default): a new memory layout every run; block: the same for all runs of a block", 0},
	{"ok-status", KEY_OK_STATUS, "N,...", 0, "Exit statuses that are success (default 0)", 0},
	{"ignore-failure", KEY_IGNORE_FAILURE, NULL, 0,
	 "Go on when a run fails, and leave its whole block out", 0},
	{0},
};

static void set_timeout(struct run_options *o, struct argp_state *state, const char *arg)
{
	char err[200];

	if (quantity_duration(arg, &o->config.timeout_ns, err, sizeof(err)))
		argp_error(state, "--run-timeout: %s", err);
	if (!o->config.timeout_ns)
		argp_error(state, "--run-timeout: must be more than 0");
}

static void set_stragglers(struct run_options *o, struct argp_state *state, const char *arg)
{
	if (strcmp(arg, "kill") == 0)
		o->config.stragglers = STRAGGLERS_KILL;
	else if (strcmp(arg, "wait") == 0)
		o->config.stragglers = STRAGGLERS_WAIT;
	else if (strcmp(arg, "error") == 0)
		o->config.stragglers = STRAGGLERS_ERROR;
	else
		argp_error(state, "--stragglers: '%s' is none of kill, wait, error", arg);
}

static void reject_empty(const struct argp_state *state, const char *option, const char *arg)
{
	if (!arg || !*arg)
		argp_error(state, "--%s: the name is empty", option);
}

static void set_stdout(struct run_options *o, const char *arg)
{
	o->config.stdout_path = NULL;
	if (strcmp(arg, "null") == 0) {
		o->config.stdout_mode = STREAM_NULL;
	} else if (strcmp(arg, "pipe") == 0) {
		o->config.stdout_mode = STREAM_PIPE;
	} else if (strcmp(arg, "inherit") == 0) {
		o->config.stdout_mode = STREAM_INHERIT;
	} else {
		o->config.stdout_mode = STREAM_FILE;
		o->config.stdout_path = arg;
	}
}

static void set_cpus(struct run_options *o, struct argp_state *state, const char *arg)
{
	free(o->cpus);
	o->cpus = NULL;
	if (machine_parse_cpu_list(arg, &o->cpus, &o->config.n_cpus) || !o->config.n_cpus)
		argp_error(state, "--cpus: '%s' is not a list of CPUs: write 0-3,8", arg);
	o->config.cpus = o->cpus;
}

static void set_ok_status(struct run_options *o, struct argp_state *state, const char *arg)
{
	char number[8], err[200];
	uint64_t status;

	memset(o->ok_status, 0, sizeof(o->ok_status));
	for (const char *p = arg;; p++) {
		size_t len = strcspn(p, ",");

		if (len >= sizeof(number))
			argp_error(state, "--ok-status: '%s' is not a list of statuses: write 0,1",
				   arg);
		memcpy(number, p, len);
		number[len] = '\0';
		if (quantity_count(number, 0, 255, &status, err, sizeof(err)))
			argp_error(state, "--ok-status: %s", err);
		o->ok_status[status] = 1;
		p += len;
		if (!*p)
			break;
	}
	o->config.ok_status = o->ok_status;
}

static int add_parameter(struct run_options *o, struct argp_state *state, const char *arg)
{
	struct parameter *grown = reallocarray(o->parameters, o->n_parameters + 1, sizeof(*grown));
	char err[300];

	if (!grown)
		return ENOMEM;
	o->parameters = grown;
	if (parameter_parse(&o->parameters[o->n_parameters], arg, err, sizeof(err)))
		argp_error(state, "-L: %s", err);
	for (size_t i = 0; i < o->n_parameters; i++)
		if (strcmp(o->parameters[i].name, o->parameters[o->n_parameters].name) == 0)
			argp_error(state, "-L: {%s} is given twice", o->parameters[i].name);
	o->n_parameters++;
	return 0;
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct run_options *o = state->input;

	switch (key) {
	case 'L':
		return add_parameter(o, state, arg);
	case KEY_TIMEOUT:
		set_timeout(o, state, arg);
		break;
	case KEY_STRAGGLERS:
		set_stragglers(o, state, arg);
		break;
	case KEY_STDIN:
		reject_empty(state, "stdin", arg);
		o->config.stdin_path = arg;
		break;
	case KEY_STDOUT:
		reject_empty(state, "stdout", arg);
		set_stdout(o, arg);
		break;
	case KEY_SETUP:
		return -string_list_append(&o->setups, arg);
	case KEY_PREPARE:
		return -string_list_append(&o->prepares, arg);
	case KEY_CONCLUDE:
		return -string_list_append(&o->concludes, arg);
	case KEY_CLEANUP:
		return -string_list_append(&o->cleanups, arg);
	case KEY_NAME:
		return -string_list_append(&o->names, arg);
	case KEY_ENV:
		if (!*arg || *arg == '=')
			argp_error(state, "--env: '%s' has no name: write NAME=VALUE", arg);
		return -string_list_append(&o->env, arg);
	case KEY_CWD:
		reject_empty(state, "cwd", arg);
		o->config.cwd = arg;
		break;
	case KEY_SHELL:
		o->shell = true;
		break;
	case KEY_CPUS:
		set_cpus(o, state, arg);
		break;
	case KEY_LAYOUT:
		if (strcmp(arg, "aslr") && strcmp(arg, "block"))
			argp_error(state, "--layout: '%s' is neither aslr nor block", arg);
		o->config.layout_block = strcmp(arg, "block") == 0;
		break;
	case KEY_OK_STATUS:
		set_ok_status(o, state, arg);
		break;
	case KEY_IGNORE_FAILURE:
		o->ignore_failure = true;
		break;
	case ARGP_KEY_END:
		/* The list that the spawner takes ends with NULL, which is not counted. */
		if (o->env.n) {
			if (string_list_append(&o->env, NULL))
				return ENOMEM;
			o->env.n--;
			o->config.env = o->env.v;
		}
		break;
	default:
		return ARGP_ERR_UNKNOWN;
	}
	return 0;
}

const struct argp run_argp = {.options = options, .parser = parse};

void run_options_init(struct run_options *o)
{
	*o = (struct run_options){.config = {.grace_ns = 1000000000}};
}

void run_options_release(struct run_options *o)
{
	for (size_t i = 0; i < o->n_parameters; i++)
		parameter_release(&o->parameters[i]);
	free(o->parameters);
	free(o->env.v);
	free(o->names.v);
	free(o->setups.v);
	free(o->prepares.v);
	free(o->concludes.v);
	free(o->cleanups.v);
	free(o->cpus);
}
