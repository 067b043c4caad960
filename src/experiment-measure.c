/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Measuring an experiment.
 *
 *   options → variants, scopes, metrics → record's head → runs, kept as they end → measured record
 */
#include "experiment.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>

#include "command.h"
#include "counting.h"
#include "interrupt.h"
#include "measure.h"
#include "output.h"
#include "record-write.h"
#include "resume.h"
#include "scopes.h"
#include "stopper.h"
#include "version.h"
#include "watch.h"

/* All that lives while it is measured. */
struct laboratory {
	struct experiment *e;
	struct record *record;
	struct variant_list variants;
	struct scopes scopes;
	struct counting counting;
	struct stopper *stopper;
	struct record_writer *writer;
	struct watch watch;
	struct resume_point point;
	char *err;
	size_t err_size;
};

static const char *const twin_names[] = {"A", "B"};

/* The same command once more, under a name of its own. */
static int build_twin(struct laboratory *l, struct variant_spec *spec)
{
	struct variant_list twin;
	struct variant *grown;

	spec->names = &twin_names[1];
	int error = variant_list_build(&twin, spec, l->err, l->err_size);

	if (error)
		return error;
	grown = reallocarray(l->variants.v, l->variants.n + twin.n, sizeof(*grown));
	if (!grown) {
		variant_list_release(&twin);
		snprintf(l->err, l->err_size, "out of memory");
		return -ENOMEM;
	}
	memcpy(grown + l->variants.n, twin.v, twin.n * sizeof(*grown));
	l->variants.v = grown;
	l->variants.n += twin.n;
	free(twin.v);
	return 0;
}

static int build_variants(struct laboratory *l)
{
	const struct run_options *r = &l->e->run;
	struct variant_spec spec = {
	    .commands = l->e->commands.v,
	    .n_commands = l->e->commands.n,
	    .argv = l->e->argv,
	    .parameters = r->parameters,
	    .n_parameters = r->n_parameters,
	    .shell = r->shell,
	    .names = r->names.v,
	    .n_names = r->names.n,
	    .setups = r->setups.v,
	    .n_setups = r->setups.n,
	    .prepares = r->prepares.v,
	    .n_prepares = r->prepares.n,
	    .concludes = r->concludes.v,
	    .n_concludes = r->concludes.n,
	    .cleanups = r->cleanups.v,
	    .n_cleanups = r->cleanups.n,
	};
	if (l->e->twice) {
		spec.names = &twin_names[0];
		spec.n_names = 1;
	}
	int error = variant_list_build(&l->variants, &spec, l->err, l->err_size);

	if (!error && l->e->twice)
		error = build_twin(l, &spec);
	if (error)
		return error == -EINVAL ? STATUS_USAGE : STATUS_CANNOT_MEASURE;
	if (l->e->compare && l->variants.n < 2) {
		snprintf(l->err, l->err_size,
			 "compare needs two commands or more, each one string: abstat compare './a "
			 "-x' './b "
			 "-x'; 'abstat stat' measures one");
		return STATUS_USAGE;
	}
	return 0;
}

static int copy_variant(struct record_variant *to, const struct variant *from)
{
	size_t n = 0;

	while (from->argv[n])
		n++;
	to->name = strdup(from->name);
	to->command = strdup(from->command);
	to->argv = calloc(n + 1, sizeof(*to->argv));
	for (size_t i = 0; to->argv && i < n; i++)
		to->argv[i] = strdup(from->argv[i]);
	return to->name && to->command && to->argv && (!n || to->argv[n - 1]) ? 0 : -ENOMEM;
}

static uint64_t real_time_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_REALTIME, &t);
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

/* What was asked for, and where: enough to go on with it. */
static int fill_request(struct laboratory *l)
{
	const struct string_list *env = &l->e->run.env;
	struct record *r = l->record;

	r->cwd = getcwd(NULL, 0);
	if (l->e->arguments && !(r->arguments = resume_arguments(l->e->arguments)))
		return -ENOMEM;
	if (!env->n)
		return 0;
	r->environment = calloc(env->n + 1, sizeof(*r->environment));
	for (size_t i = 0; r->environment && i < env->n; i++)
		if (!(r->environment[i] = strdup(env->v[i])))
			return -ENOMEM;
	return r->environment ? 0 : -ENOMEM;
}

static int fill_record(struct laboratory *l)
{
	struct record *r = l->record;
	uint32_t seed = 0;

	machine_read(&r->machine, "/proc", "/sys");
	r->version = strdup(abstat_version);
	r->start_ns = real_time_ns();
	if (getrandom(&seed, sizeof(seed), 0) != sizeof(seed))
		seed = (uint32_t)r->start_ns;
	r->plan.seed = l->e->plan.seed_given ? l->e->plan.seed : seed;
	r->plan.warmup = l->e->plan.warmup;
	r->plan.interleaved = true;
	r->plan.layout_block = l->e->run.config.layout_block;
	r->plan.gate = r->plan.precision = NAN;
	r->variants = calloc(l->variants.n + 1, sizeof(*r->variants));
	if (!r->version || !r->variants || fill_request(l))
		return -ENOMEM;
	for (size_t i = 0; i < l->variants.n; i++) {
		r->n_variants++;
		if (copy_variant(&r->variants[i], &l->variants.v[i]))
			return -ENOMEM;
	}
	return 0;
}

/* Every event must be counted at least once. */
static int check_groups(struct laboratory *l)
{
	const struct plan_options *o = &l->e->plan;
	uint32_t most = o->runs ? o->runs : o->max_runs;
	uint32_t groups = (uint32_t)l->counting.n_groups;

	if (!most || most >= groups)
		return 0;
	snprintf(l->err, l->err_size,
		 "the events do not fit the counters together: they need %u groups, which are "
		 "taken in turn, "
		 "and %u run%s cannot count them all: use -r %u or more, fewer events, or "
		 "--multiplex; or see "
		 "whether another process holds counters",
		 groups, most, most == 1 ? "" : "s", groups);
	return STATUS_USAGE;
}

static int open_writer(struct laboratory *l)
{
	const struct save_options *o = &l->e->save;
	struct record *r = l->record;

	if (!o->path && !o->resume)
		return 0;
	if (o->path)
		l->writer = record_writer_open(o->path, o->force, r, l->err, l->err_size);
	else if (resume_adopt(r, &l->e->resumed, &l->point, l->err, l->err_size))
		return STATUS_CANNOT_MEASURE;
	else
		l->writer = record_writer_resume(o->resume, r, real_time_ns(), l->point.discarded,
						 l->err, l->err_size);
	return l->writer ? 0 : STATUS_CANNOT_MEASURE;
}

static int keep(void *context, const struct record *record, size_t run, char *err, size_t err_size)
{
	struct laboratory *l = context;

	return record_writer_run(l->writer, &record->runs[run], record_reading(record, run, 0), err,
				 err_size);
}

static int planned(void *context, const struct record *record, char *err, size_t err_size)
{
	struct laboratory *l = context;

	watch_planned(&l->watch, record);
	return l->writer ? record_writer_plan(l->writer, err, err_size) : 0;
}

static void progress(void *context, const struct record *record, bool warmup, uint32_t done,
		     uint32_t most, uint64_t elapsed_ns)
{
	struct laboratory *l = context;

	watch_blocks(&l->watch, record, warmup, done, most, elapsed_ns);
}

static int check_cpus(struct laboratory *l)
{
	const struct run_options *o = &l->e->run;
	long configured = sysconf(_SC_NPROCESSORS_CONF);

	for (size_t i = 0; i < o->config.n_cpus; i++)
		if (o->cpus[i] >= configured) {
			snprintf(l->err, l->err_size,
				 "--cpus: this machine has no CPU %d; lscpu(1) shows those that "
				 "there are",
				 o->cpus[i]);
			return STATUS_USAGE;
		}
	return 0;
}

/* Where each scope is, in every variant's program. */
static int prepare_scopes(struct laboratory *l)
{
	struct run_config run = l->e->run.config;
	int r = scopes_init(&l->scopes, &l->e->scope, &l->e->event, l->err, l->err_size);

	run.variants = l->variants.v;
	run.n_variants = l->variants.n;
	if (!r)
		r = scopes_list_cpus(&l->scopes, &l->e->event, &run, l->err, l->err_size);
	return r ? r : scopes_find(&l->scopes, &run, l->err, l->err_size);
}

static int note_what_is_given_up(struct laboratory *l)
{
	if (!l->scopes.n || !l->scopes.only)
		return 0;
	return record_note(l->record,
			   "--probed-only: every run was probed, so that the numbers and the "
			   "verdict of the whole have in "
			   "them what the probes cost, and how much that is is not known");
}

static int calibrate_scopes(struct laboratory *l)
{
	int r = scopes_configure(&l->scopes, &l->counting);

	if (!r)
		r = scopes_calibrate(&l->scopes, l->record);
	if (r == -EINTR) {
		snprintf(l->err, l->err_size, "interrupted by SIG%s, before the first run",
			 sigabbrev_np(interrupt_signal()));
		return STATUS_INTERRUPTED;
	}
	if (!r && !note_what_is_given_up(l))
		return 0;
	snprintf(l->err, l->err_size, "out of memory");
	return STATUS_CANNOT_MEASURE;
}

static int prepare(struct laboratory *l)
{
	struct experiment *e = l->e;

	/* Where a run ended takes some microseconds to find out: for those who keep the runs, or
	 * choose the CPUs. */
	e->run.config.observe_cpu = e->run.cpus || e->save.path || e->save.resume;

	int r = check_cpus(l);

	if (!r)
		r = build_variants(l);
	if (r)
		return r;
	if (output_check(&e->output, l->err, l->err_size))
		return STATUS_CANNOT_MEASURE;
	if (fill_record(l)) {
		snprintf(l->err, l->err_size, "out of memory");
		return STATUS_CANNOT_MEASURE;
	}
	r = prepare_scopes(l);
	if (!r)
		r = counting_init(&l->counting, &e->event, &e->judge, &l->scopes, l->record, l->err,
				  l->err_size);
	if (!r)
		r = check_groups(l);
	if (!r)
		r = calibrate_scopes(l);
	if (r)
		return r;
	l->stopper = e->compare ? stopper_by_evidence_new(&e->plan, &e->judge)
		     : e->twice ? stopper_for_calibration_new(&e->plan)
				: stopper_by_runs_new(&e->plan);
	if (!l->stopper) {
		snprintf(l->err, l->err_size, "out of memory");
		return STATUS_CANNOT_MEASURE;
	}
	return open_writer(l);
}

static int run(struct laboratory *l)
{
	struct experiment *e = l->e;
	struct measure_config config = {
	    .record = l->record,
	    .counting = &l->counting,
	    .variants = &l->variants,
	    .run = &e->run,
	    .scopes = &l->scopes,
	    .max_time_ns = e->plan.max_time_ns,
	    .stopper = l->stopper,
	    .context = l,
	    .keep = l->writer ? keep : NULL,
	    .planned = planned,
	    .progress = progress,
	    .resumed = e->save.resume ? &l->point : NULL,
	};

	watch_init(&l->watch, &e->judge, e->compare || e->twice, e->output.quiet);
	int status = measure(&config, l->err, l->err_size);

	watch_end(&l->watch);
	if (l->writer) {
		char why[500];
		int r = record_writer_close(l->writer, why, sizeof(why));

		l->writer = NULL;
		if (r && !status) {
			snprintf(l->err, l->err_size, "%s", why);
			status = STATUS_CANNOT_MEASURE;
		}
	}
	return status;
}

int experiment_measure(struct experiment *e, struct record *record, char *err, size_t err_size)
{
	struct laboratory l = {.e = e, .record = record, .err = err, .err_size = err_size};

	*err = '\0';
	int status = prepare(&l);

	if (!status)
		status = run(&l);
	record_writer_free(l.writer);
	stopper_free(l.stopper);
	counting_release(&l.counting);
	scopes_release(&l.scopes);
	variant_list_release(&l.variants);
	return status;
}
