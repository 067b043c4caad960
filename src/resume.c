/* SPDX-License-Identifier: GPL-2.0-or-later */
/* --resume. */
#include "resume.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "command.h"
#include "import.h"

static const char *command_name(const char *argv0)
{
	const char *blank = strrchr(argv0, ' ');

	return blank ? blank + 1 : argv0;
}

char **resume_arguments(char *const *argv)
{
	size_t n = 0;
	char **words;

	while (argv[n])
		n++;
	words = calloc(n + 1, sizeof(*words));
	for (size_t i = 0; words && i < n; i++) {
		words[i] = strdup(i ? argv[i] : command_name(argv[i]));
		if (!words[i])
			return NULL;
	}
	return words;
}

/* True if nothing was asked for but where to go on, and how to print. */
static bool asks_for_nothing_else(const struct experiment *e)
{
	const struct event_options *v = &e->event;
	const struct plan_options *p = &e->plan;
	const struct judge_options *j = &e->judge;

	return !e->commands.n && !e->scope.specs.n && !e->argv && !v->events.n && !v->metrics.n && !v->extracts.n &&
	       !v->detail && !v->null_run && !v->system_wide && !v->per_cpu && !v->multiplex && !p->runs &&
	       !p->min_runs && !p->max_runs && !p->seed_given && !p->max_time_ns &&
	       isnan(p->precision) && isnan(j->alpha) && isnan(j->margin) && !j->n_margins &&
	       !j->gate && !j->primary && !j->baseline && !j->pairs;
}

/* What the file must be for going on with it. 0 or an exit status. */
static int check(const struct experiment *e, const char *name, char *err, size_t err_size)
{
	const struct record *r = &e->resumed;
	const char *path = e->save.resume;
	char cwd[4096];

	if (!r->arguments || !r->arguments[0] || r->summaries) {
		snprintf(err, err_size,
			 "%s is not a record that can be resumed: it does not say what was run",
			 path);
		return STATUS_USAGE;
	}
	if (strcmp(r->arguments[0], name) != 0) {
		snprintf(err, err_size, "%s was measured by 'abstat %s': resume it by that", path,
			 r->arguments[0]);
		return STATUS_USAGE;
	}
	if (r->plan.stopped != STOPPED_INTERRUPT) {
		snprintf(err, err_size, "%s was not interrupted: there is nothing to resume", path);
		return STATUS_USAGE;
	}
	if (r->cwd && getcwd(cwd, sizeof(cwd)) && strcmp(cwd, r->cwd) != 0) {
		snprintf(err, err_size, "%s was measured in %s: resume it there", path, r->cwd);
		return STATUS_USAGE;
	}
	return 0;
}

/* Parses the record's command line in place of the one that was given. */
static int parse_again(struct experiment *e, const struct argp *argp, unsigned flags, char *argv0)
{
	struct record resumed = e->resumed;
	struct output_options output = e->output;
	const char *path = e->save.resume;
	bool compare = e->compare;
	int argc = 1, rc;

	record_init(&e->resumed);
	experiment_release(e);
	experiment_init(e, compare);
	e->resumed = resumed;
	free(e->resumed.arguments[0]);
	e->resumed.arguments[0] = strdup(argv0);
	if (!e->resumed.arguments[0])
		return ENOMEM;
	while (e->resumed.arguments[argc])
		argc++;
	rc = argp_parse(argp, argc, e->resumed.arguments, flags, NULL, e);
	e->output = output;
	e->save = (struct save_options){.resume = path};
	e->arguments = e->resumed.arguments;
	return rc;
}

int resume_parse(struct experiment *e, const struct argp *argp, unsigned flags, int argc,
		 char **argv, char *err, size_t err_size)
{
	int status;

	e->arguments = argv;
	if (argp_parse(argp, argc, argv, flags, NULL, e)) {
		snprintf(err, err_size, "out of memory");
		return STATUS_CANNOT_MEASURE;
	}
	if (!e->save.resume)
		return 0;
	if (!asks_for_nothing_else(e)) {
		snprintf(err, err_size,
			 "--resume %s: commands and options are those of the record; only those "
			 "that say what "
			 "is printed can be given again",
			 e->save.resume);
		return STATUS_USAGE;
	}
	if (record_load(e->save.resume, NULL, &e->resumed, err, err_size))
		return STATUS_CANNOT_MEASURE;
	status = check(e, command_name(argv[0]), err, err_size);
	if (!status && parse_again(e, argp, flags, argv[0])) {
		snprintf(err, err_size, "out of memory");
		status = STATUS_CANNOT_MEASURE;
	}
	return status;
}

static bool same_text(const char *a, const char *b)
{
	return a && b ? !strcmp(a, b) : a == b;
}

static bool same_metrics(const struct metric_list *a, const struct metric_list *b)
{
	if (a->n != b->n)
		return false;
	for (size_t i = 0; i < a->n; i++) {
		const struct metric *x = &a->v[i], *y = &b->v[i];

		if (strcmp(x->name, y->name) || strcmp(x->unit, y->unit) ||
		    x->source != y->source || x->group != y->group || !x->reason != !y->reason)
			return false;
	}
	return true;
}

static bool same_variants(const struct record *a, const struct record *b)
{
	if (a->n_variants != b->n_variants)
		return false;
	for (size_t i = 0; i < a->n_variants; i++)
		if (strcmp(a->variants[i].name, b->variants[i].name) ||
		    !same_text(a->variants[i].command, b->variants[i].command))
			return false;
	return true;
}

/* The end of the runs of one measured block that begin with run I; *WHOLE and *FAILED say what
 * became of it. */
static size_t examine_block(const struct record *r, size_t i, bool *whole, bool *failed)
{
	size_t end = i;
	bool interrupted = false;

	*failed = false;
	for (; end < r->n_runs && r->runs[end].block == r->runs[i].block && !r->runs[end].warmup;
	     end++) {
		interrupted |= r->runs[end].outcome == RUN_INTERRUPTED;
		*failed |= r->runs[end].outcome != RUN_OK;
	}
	*whole = end - i == record_block_runs(r) && !interrupted;
	return end;
}

/* Measured blocks that are whole are counted; the runs of a last one that is not no longer count.
 */
static void find_point(struct record *r, struct resume_point *point)
{
	size_t begin = 0;

	*point = (struct resume_point){.planned = r->plan.max_blocks || r->plan.first_block,
				       .block = r->plan.first_block,
				       .discarded = -1};
	r->plan.blocks = 0;
	for (size_t i = 0, end; i < r->n_runs; i = end) {
		bool whole, failed;

		if (r->runs[i].warmup) {
			end = i + 1;
			continue;
		}
		begin = i;
		end = examine_block(r, i, &whole, &failed);
		if (whole) {
			r->plan.blocks++;
			point->valid += !failed;
			point->block = r->runs[i].block + 1;
		} else if (end == r->n_runs) {
			point->block = r->runs[i].block;
			point->discarded = r->runs[i].block;
		}
	}
	for (size_t i = begin; point->discarded >= 0 && i < r->n_runs; i++)
		r->runs[i].warmup = true;
	for (size_t i = 0; i < r->n_runs; i++)
		if (!r->runs[i].warmup)
			point->spent_ns += r->runs[i].duration_ns;
}

int resume_adopt(struct record *r, struct record *old, struct resume_point *point, char *err,
		 size_t err_size)
{
	const char *path = old->source ? old->source : "the record";

	if (!same_text(r->machine.kernel, old->machine.kernel) ||
	    !same_text(r->machine.cpu_model, old->machine.cpu_model)) {
		snprintf(err, err_size,
			 "%s was measured under another kernel or on another machine: measure "
			 "again, and let "
			 "'abstat diff' compare the two",
			 path);
		return STATUS_CANNOT_MEASURE;
	}
	if (!same_metrics(&r->metrics, &old->metrics) || !same_variants(r, old)) {
		snprintf(err, err_size,
			 "what can be counted here is not what it was for %s (permissions, "
			 "counters that are held by others, or with -A the CPUs): it cannot be "
			 "resumed",
			 path);
		return STATUS_CANNOT_MEASURE;
	}
	r->start_ns = old->start_ns;
	struct record_plan fresh = r->plan;

	r->plan = old->plan;
	r->plan.stopped = STOPPED_NOT;
	r->runs = old->runs;
	r->readings = old->readings;
	r->n_runs = old->n_runs;
	r->capacity = old->capacity;
	old->runs = NULL;
	old->readings = NULL;
	old->plan.looks = NULL;
	old->n_runs = old->capacity = 0;
	find_point(r, point);
	if (!point->planned) {
		fresh.seed = r->plan.seed;
		r->plan = fresh;
	}
	if (!record_note(r, "interrupted after %zu runs and resumed", r->n_runs))
		return 0;
	snprintf(err, err_size, "out of memory");
	return STATUS_CANNOT_MEASURE;
}
