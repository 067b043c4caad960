// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * scoped EVENTS SCOPE... -- COMMAND...: one run of a command, and what abstat's engine of scopes has
 * of it, without calibration: numbers to be compared with what is known of the command.
 *
 * Prints a line a scope, "NAME calls N measured N lost N ...", and one for each of its costs, "NAME
 * EVENT TOTAL SELF P50 P99"; then "whole EVENT N OUTERMOST", "nan" where it was not counted.
 */
#include <err.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "event.h"
#include "scope-set.h"

#define MAX 8

static void print_scope(const struct scope_config *c, const struct scope_result *r, size_t i)
{
	const struct scope_calls *n = &r->calls[i];
	const char *name = c->targets[i].name;

	printf("%s calls %llu measured %llu lost %llu not_counted %llu unfollowed %llu unreturned "
	       "%llu interrupted %llu missed %llu\n",
	       name, (unsigned long long)n->calls, (unsigned long long)n->measured,
	       (unsigned long long)n->lost, (unsigned long long)n->not_counted,
	       (unsigned long long)n->unfollowed, (unsigned long long)n->unreturned,
	       (unsigned long long)n->interrupted, (unsigned long long)n->missed);
	for (size_t e = 0; e < scope_costs(c); e++) {
		const struct scope_cost *k = &r->costs[i * scope_costs(c) + e];

		printf("%s %s %.0f %.0f %.0f %.0f\n", name,
		       e < c->n_events ? c->events[e]->name : "time", k->total, k->self, k->p50,
		       k->p99);
	}
}

static void print_result(const struct scope_config *c, const struct scope_result *r)
{
	for (size_t i = 0; i < c->n_targets; i++)
		print_scope(c, r, i);
	for (size_t e = 0; e < scope_costs(c); e++)
		printf("whole %s %.0f %.0f\n", e < c->n_events ? c->events[e]->name : "time",
		       r->whole[e], r->outermost[e]);
}

/* The command waits for a byte, so that what is opened on its process comes first. */
static pid_t start(char **argv, int *gate)
{
	int fds[2];
	pid_t pid;
	char byte;

	if (pipe(fds))
		err(1, "pipe");
	pid = fork();
	if (pid == 0) {
		close(fds[1]);
		if (read(fds[0], &byte, 1) == 1)
			execvp(argv[0], argv);
		_exit(127);
	}
	close(fds[0]);
	*gate = fds[1];
	return pid;
}

static void run(struct scope_set *set, char **argv, struct scope_result *result)
{
	char message[512] = "";
	int gate, status;
	pid_t pid = 0;

	/* What is inherited is opened by now, and the command is to come from it. */
	if (!scope_set_needs_pid(set) && scope_set_begin(set, 0, message, sizeof(message)))
		errx(1, "%s", message);
	pid = start(argv, &gate);
	if (scope_set_needs_pid(set) && scope_set_begin(set, pid, message, sizeof(message)))
		errx(1, "%s", message);
	if (write(gate, "", 1) != 1)
		err(1, "starting the command");
	close(gate);
	waitpid(pid, &status, 0);
	if (scope_set_end(set, result, message, sizeof(message)))
		errx(1, "%s", message);
	if (status)
		errx(1, "the command ended with status %#x", (unsigned)status);
}

int main(int argc, char **argv)
{
	struct scope_target targets[MAX] = {0};
	const struct event *events[MAX];
	struct scope_config config = {.targets = targets, .events = events};
	struct event_list list = {0};
	struct scope_result result;
	struct scope_set *set;
	int errors[MAX], i = 2;
	char message[2048] = "";

	while (i < argc && strcmp(argv[i], "--") != 0)
		i++;
	if (i + 1 >= argc)
		errx(2, "EVENTS SCOPE... -- COMMAND...");
	if (event_list_parse(&list, argv[1], &event_roots_default, message, sizeof(message)))
		errx(1, "%s", message);
	for (size_t e = 0; e < list.n && e < MAX; e++)
		events[config.n_events++] = &list.events[e];
	for (char **s = argv + 2; s < argv + i && config.n_targets < MAX; s++) {
		struct scope_spec spec = {0};

		if (scope_spec_parse(&spec, *s, message, sizeof(message)) ||
		    scope_target_find(&targets[config.n_targets++], &spec, argv[i + 1], message,
				      sizeof(message)))
			errx(1, "%s", message);
	}
	if (scope_set_open(&set, &config, errors, message, sizeof(message)))
		errx(1, "%s", message);
	for (size_t e = 0; e < config.n_events; e++)
		if (errors[e])
			errx(1, "%s: %s", events[e]->name, strerror(errors[e]));
	scope_result_place(&result, &config, malloc(scope_result_size(&config)));
	run(set, argv + i + 1, &result);
	print_result(&config, &result);
	scope_set_free(set);
	return 0;
}
