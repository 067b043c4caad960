/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The record in memory: runs and their readings in two growing arrays.
 */
#include "record.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
	const char *token, *text;
} reasons[NULL_REASONS] = {
    [NULL_NONE] = {"", ""},
    [NULL_NOT_SUPPORTED] = {"not-supported", "not supported on this machine"},
    [NULL_NOT_PERMITTED] = {"not-permitted", "not permitted for this user"},
    [NULL_NOT_COUNTED] = {"not-counted", "never got a counter: others hold them"},
    [NULL_PARTLY_COUNTED] = {"partly-counted", "had a counter for a part of the run only"},
    [NULL_DROPPED] = {"dropped-at-exec", "the program is setuid, setgid or unreadable: the kernel "
					 "drops its events at exec"},
    [NULL_OTHER_GROUP] = {"other-group", "this run counted another group of events"},
    [NULL_OPERAND] = {"operand", "a metric that it is computed from has no value"},
    [NULL_DIVISION] = {"division-by-zero", "division by zero"},
    [NULL_NO_MATCH] = {"no-match", "the output of the run did not match"},
    [NULL_RUN_FAILED] = {"run-failed", "the run failed"},
    [NULL_PROBED] = {"probed", "this run was probed"},
    [NULL_BARE] = {"bare", "this run was not probed"},
    [NULL_CALLS_LOST] = {"calls-lost", "more than 1 % of its calls have no cost: they were lost or "
				       "not counted, or could not be followed"},
    [NULL_NO_CALLS] = {"no-calls", "never called"},
    [NULL_NO_CALLS_HERE] = {"no-calls-here", "no call ended on this CPU"},
    [NULL_NOT_RETURNED] = {"not-returned", "no call returned"},
    [NULL_OVERLAP] = {"overlap", "calls of several threads or processes took longer together than "
				 "the run"},
    [NULL_KILLED] = {"killed", "processes that were left behind were killed in the middle of it"},
    [NULL_NOT_CALIBRATED] = {"not-calibrated", "what probing adds to a call is not calibrated"},
    [NULL_NOT_FOLLOWED] = {"not-followed", "processes or threads ran that could not be followed: what "
					   "they called is not known"},
    [NULL_OTHER_CPUS] = {"other-cpus", "it ran on CPUs that the run was not to use"},
    [NULL_NOTHING_LEFT] = {"nothing-left", "probing costs more than the run itself: nothing is left "
					   "to take a share of"},
    [NULL_UNKNOWN] = {"unknown", "no value, and the file does not say why"},
};

const char *null_reason_text(enum null_reason reason)
{
	return reason < NULL_REASONS ? reasons[reason].text : reasons[NULL_UNKNOWN].text;
}

const char *null_reason_token(enum null_reason reason)
{
	return reason < NULL_REASONS ? reasons[reason].token : reasons[NULL_UNKNOWN].token;
}

enum null_reason null_reason_find(const char *token, size_t len)
{
	for (int i = 1; i < NULL_REASONS; i++)
		if (strlen(reasons[i].token) == len && !memcmp(reasons[i].token, token, len))
			return (enum null_reason)i;
	return NULL_UNKNOWN;
}

void record_init(struct record *r)
{
	memset(r, 0, sizeof(*r));
	r->machine.cpus_online = r->machine.smt = r->machine.turbo = -1;
	r->machine.aslr = r->machine.paranoid = -1;
	r->machine.memory = -1;
	r->primary = -1;
	r->plan.alpha = 0.05;
	r->plan.margin = 0.01;
	r->plan.gate = r->plan.precision = NAN;
	r->plan.groups = 1;
}

static void words_release(char **words)
{
	for (size_t i = 0; words && words[i]; i++)
		free(words[i]);
	free(words);
}

void record_release(struct record *r)
{
	for (size_t i = 0; i < r->n_variants; i++)
		record_variant_release(&r->variants[i]);
	for (size_t i = 0; i < r->n_notes; i++)
		free(r->notes[i]);
	words_release(r->arguments);
	words_release(r->environment);
	free(r->variants);
	free(r->notes);
	free(r->plan.looks);
	free(r->cwd);
	free(r->runs);
	free(r->readings);
	free(r->summaries);
	free(r->version);
	free(r->source);
	metric_list_release(&r->metrics);
	machine_release(&r->machine);
	record_init(r);
}

void record_variant_release(struct record_variant *v)
{
	words_release(v->argv);
	free(v->name);
	free(v->command);
	*v = (struct record_variant){0};
}

struct record_variant *record_add_variant(struct record *r, const char *name, const char *command)
{
	struct record_variant *variants, *v;

	if (r->n_variants >= RECORD_MAX_VARIANTS)
		return NULL;
	variants = reallocarray(r->variants, r->n_variants + 1, sizeof(*variants));
	if (!variants)
		return NULL;
	r->variants = variants;
	v = &variants[r->n_variants];
	*v = (struct record_variant){.name = strdup(name),
				     .command = command ? strdup(command) : NULL};
	if (!v->name || (command && !v->command)) {
		record_variant_release(v);
		return NULL;
	}
	r->n_variants++;
	return v;
}

static int record_grow(struct record *r)
{
	size_t capacity = r->capacity + r->capacity / 2 + 64;
	struct record_run *runs = reallocarray(r->runs, capacity, sizeof(*runs));
	struct reading *readings;
	size_t cells;

	if (!runs)
		return -ENOMEM;
	r->runs = runs;
	if (__builtin_mul_overflow(capacity, r->metrics.n, &cells))
		return -ENOMEM;
	if (cells) {
		readings = reallocarray(r->readings, cells, sizeof(*readings));
		if (!readings)
			return -ENOMEM;
		r->readings = readings;
	}
	r->capacity = capacity;
	return 0;
}

int record_append(struct record *r, const struct record_run *run, const struct reading *readings)
{
	if (r->n_runs == r->capacity) {
		int rc = record_grow(r);

		if (rc)
			return rc;
	}
	r->runs[r->n_runs] = *run;
	if (r->metrics.n)
		memcpy(&r->readings[r->n_runs * r->metrics.n], readings,
		       r->metrics.n * sizeof(*readings));
	r->n_runs++;
	return 0;
}

size_t record_block_runs(const struct record *r)
{
	bool bare = false, probed = false;

	for (size_t i = 0; i < r->metrics.n; i++) {
		probed |= r->metrics.v[i].probed;
		bare |= !r->metrics.v[i].probed;
	}
	return r->n_variants * (bare && probed ? 2 : 1);
}

int record_note(struct record *r, const char *format, ...)
{
	char **notes = reallocarray(r->notes, r->n_notes + 1, sizeof(*notes));
	va_list ap;
	int n;

	if (!notes)
		return -ENOMEM;
	r->notes = notes;
	va_start(ap, format);
	n = vasprintf(&notes[r->n_notes], format, ap);
	va_end(ap);
	if (n < 0)
		return -ENOMEM;
	r->n_notes++;
	return 0;
}
