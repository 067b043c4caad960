/* SPDX-License-Identifier: GPL-2.0-or-later */
/* From a step of an experiment to the words of an `abstat compare`. */
#include "demo-command.h"

#include <errno.h>
#include <limits.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "event.h"
#include "install-paths.h"
#include "scope-tracefs.h"
#include "variant.h"

/* A program that every directory of them has. */
#define A_PROGRAM "markers-none"

struct words {
	char **v;
	size_t n;
	bool failed; /* out of memory */
};

/* Takes WORD over; NULL: out of memory. */
static void take_word(struct words *words, char *word)
{
	char **more = word ? realloc(words->v, (words->n + 2) * sizeof(*more)) : NULL;

	if (!more) {
		free(word);
		words->failed = true;
		return;
	}
	words->v = more;
	words->v[words->n++] = word;
	words->v[words->n] = NULL;
}

static void add_word(struct words *words, const char *word)
{
	take_word(words, strdup(word));
}

static char *joined(const char *a, const char *b, const char *c)
{
	char *text;

	return asprintf(&text, "%s%s%s", a, b, c) < 0 ? NULL : text;
}

/* The directory of this very program. 0 or -errno. */
static int own_directory(char *path, size_t size)
{
	ssize_t n = readlink("/proc/self/exe", path, size - 1);
	char *slash;

	if (n < 0)
		return -errno;
	path[n] = '\0';
	slash = strrchr(path, '/');
	if (!slash)
		return -ENOENT;
	*slash = '\0';
	return 0;
}

/* Where they are relative to the program, and where they were to be installed. */
static char *candidate(int i, const char *own)
{
	char *relative, *path;

	switch (i) {
	case 0:
		return joined(own, "/", "tests/workloads");
	case 1:
		relative = joined(own, "/", INSTALL_WORKLOADS_FROM_BIN);
		path = relative ? realpath(relative, NULL) : NULL;
		free(relative);
		return path ?: strdup("");
	default:
		return strdup(INSTALL_WORKLOADS);
	}
}

static bool has_programs(const char *directory)
{
	char *path = joined(directory, "/", A_PROGRAM);
	bool has = path && access(path, X_OK) == 0;

	free(path);
	return has;
}

int demo_directory(char **directory, char *err, size_t err_size)
{
	char own[PATH_MAX];

	if (own_directory(own, sizeof(own)))
		snprintf(own, sizeof(own), "%s", INSTALL_BIN);
	for (int i = 0; i < 3; i++) {
		char *path = candidate(i, own);

		if (!path)
			return -ENOMEM;
		if (has_programs(path)) {
			*directory = path;
			return 0;
		}
		free(path);
	}
	snprintf(err, err_size,
		 "the programs of the experiments are not installed: looked in %s/tests/workloads, "
		 "%s/%s "
		 "and %s; build them with `meson compile`, or install abstat with `meson install`",
		 own, own, INSTALL_WORKLOADS_FROM_BIN, INSTALL_WORKLOADS);
	return -ENOENT;
}

bool demo_may_probe(void)
{
	int tracefs = tracefs_open();

	if (tracefs < 0)
		return false;
	close(tracefs);
	return true;
}

/* Whether EVENT can be counted here; with its kernel part, unless it is one of user mode alone. */
static bool counts(const char *event)
{
	struct event_list list = {0};
	char err[200];
	bool yes;

	if (event_list_parse(&list, event, &event_roots_default, err, sizeof(err)))
		return false;
	event_list_probe(&list, false, &event_roots_default);
	yes = list.n > 0;
	for (size_t i = 0; i < list.n; i++) {
		const struct event *e = &list.events[i];

		/* The clocks of the kernel run in both modes, whatever they are called. */
		yes = yes && e->reason == EVENT_OK && (e->software || !e->user_only_fallback);
	}
	event_list_release(&list);
	return yes;
}

/* Those of the EVENTS that count, separated by commas; "" if none does, NULL if out of memory. */
static char *those_that_count(const char *const *events)
{
	char *list = strdup("");

	for (; *events && list; events++) {
		char *longer;

		if (!counts(*events))
			continue;
		longer = joined(list, *list ? "," : "", *events);
		free(list);
		list = longer;
	}
	return list;
}

/* -e with the hardware's events; where there are none, what is the next best. */
static void add_events(struct words *words, enum demo_primary primary)
{
	static const char *const user[] = {"cycles:u", "instructions:u", "cache-misses:u", NULL};
	static const char *const all[] = {"cycles", "instructions", "cache-misses", NULL};
	bool decides = primary == DEMO_USER || primary == DEMO_ALL;
	char *list = NULL;

	if (counts(primary == DEMO_ALL ? all[0] : user[0]))
		list = those_that_count(primary == DEMO_ALL ? all : user);
	else if (decides && counts("task-clock"))
		list = strdup("task-clock");
	if (list) {
		add_word(words, "-e");
		take_word(words, list);
	} else {
		add_word(words, "-n");
	}
	if (primary == DEMO_ELAPSED || (decides && !list))
		add_word(words, primary == DEMO_ELAPSED ? "--primary=duration_time"
							: "--primary=user_time");
}

/* --cpus=N, the first that this process may use; nothing where that is not known. */
static void add_one_cpu(struct words *words)
{
	cpu_set_t allowed;
	char *word;

	if (sched_getaffinity(0, sizeof(allowed), &allowed))
		return;
	for (int cpu = 0; cpu < CPU_SETSIZE; cpu++) {
		if (!CPU_ISSET(cpu, &allowed))
			continue;
		if (asprintf(&word, "--cpus=%d", cpu) < 0)
			word = NULL;
		take_word(words, word);
		return;
	}
}

static void add_arguments(struct words *words, const struct demo_step *step, double scale)
{
	for (const struct demo_argument *a = step->arguments; a->name; a++) {
		double value = a->scales ? (double)a->value * scale : (double)a->value;
		char *word;

		if (asprintf(&word, "--%s=%.0f", a->name, value < 1 && a->scales ? 1 : value) < 0)
			word = NULL;
		take_word(words, word);
	}
}

/* The command of a variant, as one string. */
static char *variant_command(const struct demo_variant *v, const struct demo_step *step,
			     const struct demo_plan *plan)
{
	struct words words = {0};
	char *quoted = NULL, *command = NULL;

	take_word(&words, *v->program == '/' ? strdup(v->program + 1)
					     : joined(plan->directory, "/", v->program));
	add_arguments(&words, step, plan->scale);
	if (!words.failed)
		quoted = words_join(words.v);
	if (quoted)
		command = joined(quoted, v->arguments ? " " : "", v->arguments ?: "");
	free(quoted);
	words_free(words.v);
	return command;
}

/* Whether OPTION says how many runs there are. */
static bool says_how_many(const char *option)
{
	static const char *const ways[] = {"-r", "--repeat", "--runs", "--max-runs"};

	for (size_t i = 0; i < sizeof(ways) / sizeof(ways[0]); i++)
		if (!strncmp(option, ways[i], strlen(ways[i])))
			return true;
	return false;
}

/* OPTION; a limit of time grows with the work. */
static void add_recommended(struct words *words, const char *option, double scale)
{
	static const char limit[] = "--max-time=";
	char *word;

	if (scale <= 1 || strncmp(option, limit, strlen(limit)) != 0) {
		add_word(words, option);
		return;
	}
	if (asprintf(&word, "%s%.0fs", limit, scale * strtod(option + strlen(limit), NULL)) < 0)
		word = NULL;
	take_word(words, word);
}

static void add_options(struct words *words, const struct demo_step *step,
			const struct demo_plan *plan)
{
	bool user_says = false;

	for (char *const *option = plan->further; *option; option++)
		user_says |= says_how_many(*option);

	if (step->one_cpu)
		add_one_cpu(words);
	for (const char *const *option = step->options; *option; option++)
		if (!user_says || !says_how_many(*option))
			add_recommended(words, *option, plan->scale);
	for (const char *const *scope = step->scopes; *scope; scope++)
		take_word(words, joined("--scope=", *scope, ""));
	for (char *const *option = plan->further; *option; option++)
		add_word(words, *option);
}

char **demo_command(const struct demo_step *step, const struct demo_plan *plan)
{
	struct words words = {0};

	add_word(&words, "compare");
	add_events(&words, step->primary);
	add_options(&words, step, plan);
	for (const struct demo_variant *v = step->variants; v->name; v++) {
		take_word(&words, joined("--name=", v->name, ""));
		take_word(&words, variant_command(v, step, plan));
	}
	if (!words.failed)
		return words.v;
	words_free(words.v);
	return NULL;
}
