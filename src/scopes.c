/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The scopes of an experiment. */
#include "scopes.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "command.h"
#include "counting.h"
#include "launch.h"
#include "record.h"
#include "scope-trial.h"

static int no_memory(char *err, size_t err_size)
{
	snprintf(err, err_size, "out of memory");
	return STATUS_CANNOT_MEASURE;
}

static int check_options(const struct event_options *events, char *err, size_t err_size)
{
	if (events->system_wide)
		snprintf(err, err_size,
			 "--scope: scopes are parts of the command, whatever CPU it runs on: leave "
			 "out -a and -C; -A alone gives each scope a row a CPU");
	else if (events->multiplex)
		snprintf(err, err_size,
			 "--scope: a call is too short to take turns in: leave out --multiplex, "
			 "and groups of events "
			 "are measured in separate runs");
	else
		return 0;
	return STATUS_USAGE;
}

static int check_name(const struct scopes *s, char *err, size_t err_size)
{
	const struct scope_spec *spec = &s->specs[s->n];

	for (size_t i = 0; i < s->n; i++) {
		if (strcmp(s->specs[i].name, spec->name) != 0)
			continue;
		snprintf(err, err_size,
			 "--scope: '%s' and '%s' are both called '%s': give one another name, as "
			 "--scope 'other=%s'",
			 s->specs[i].text, spec->text, spec->name, spec->text);
		return STATUS_USAGE;
	}
	return 0;
}

int scopes_init(struct scopes *s, const struct scope_options *options,
		const struct event_options *events, char *err, size_t err_size)
{
	char why[600] = "";
	int r = 0;

	*s = (struct scopes){.only = options->probed_only};
	if (!options->specs.n)
		return 0;
	r = check_options(events, err, err_size);
	s->specs = calloc(options->specs.n, sizeof(*s->specs));
	if (!s->specs)
		return no_memory(err, err_size);
	for (size_t i = 0; i < options->specs.n && !r; i++) {
		r = scope_spec_parse(&s->specs[i], options->specs.v[i], why, sizeof(why));
		if (r == -ENOMEM)
			return no_memory(err, err_size);
		if (r) {
			snprintf(err, err_size, "--scope: %s", why);
			return STATUS_USAGE;
		}
		r = check_name(s, err, err_size);
		s->n++;
	}
	return r;
}

/* The path of a variant's program, as its runs will find it; malloc'd. NULL: not found, the first
 * run says so. */
static char *program_path(struct launcher *launcher, const struct run_config *run, uint32_t variant)
{
	const struct launch *launch;
	char *path = NULL;

	if (launcher_prepare(launcher, &(struct run_request){.variant = variant}, &launch))
		return NULL;
	if (!run->cwd || *launch->path == '/')
		return strdup(launch->path);
	return asprintf(&path, "%s/%s", run->cwd, launch->path) < 0 ? NULL : path;
}

/*
 * A program that runs as somebody else has its events, and so its probes, dropped at exec: it would seem to call nothing.
 * Its scope may be in a file that is not this one.
 */
static int check_rights(const char *program, char *err, size_t err_size)
{
	struct stat st;

	if (stat(program, &st) || !((st.st_mode & S_ISUID && st.st_uid != geteuid()) ||
				    (st.st_mode & S_ISGID && st.st_gid != getegid())))
		return 0;
	snprintf(err, err_size,
		 "--scope: %s is setuid or setgid: the kernel drops its probes when it is executed. "
		 "Measure a copy without these bits",
		 program);
	return STATUS_CANNOT_MEASURE;
}

static int find_in(struct scopes *s, const struct variant *variant, size_t v, const char *program,
		   char *err, size_t err_size)
{
	char why[1500] = "";

	for (size_t i = 0; i < s->n; i++) {
		struct scope_target *target = &s->targets[v * s->n + i];

		if (!scope_target_find(target, &s->specs[i], program, why, sizeof(why)) &&
		    !scope_trial(target, why, sizeof(why))) {
			if (target->file)
				(void)stat(target->file, &s->files[v * s->n + i]);
			continue;
		}
		if (s->n_variants > 1)
			snprintf(err, err_size, "--scope '%s', in '%s': %s", s->specs[i].text,
				 variant->name, why);
		else
			snprintf(err, err_size, "--scope '%s': %s", s->specs[i].text, why);
		return STATUS_CANNOT_MEASURE;
	}
	return 0;
}

int scopes_find(struct scopes *s, const struct run_config *run, char *err, size_t err_size)
{
	struct launcher launcher;
	int r = 0;

	if (!s->n)
		return 0;
	s->n_variants = run->n_variants;
	s->targets = calloc(s->n_variants * s->n + 1, sizeof(*s->targets));
	s->files = calloc(s->n_variants * s->n + 1, sizeof(*s->files));
	if (!s->targets || !s->files || launcher_init(&launcher, run))
		return no_memory(err, err_size);
	for (size_t v = 0; v < s->n_variants && !r; v++) {
		char *program = program_path(&launcher, run, (uint32_t)v);

		if (!program) {
			snprintf(err, err_size, "--scope: the program of '%s', %s, is not found",
				 run->variants[v].name, run->variants[v].argv[0]);
			r = STATUS_CANNOT_MEASURE;
		} else {
			r = check_rights(program, err, err_size);
		}
		if (!r)
			r = find_in(s, &run->variants[v], v, program, err, err_size);
		free(program);
	}
	launcher_release(&launcher);
	return r;
}

int scopes_configure(struct scopes *s, const struct counting *counting)
{
	size_t n = counting->n_groups * s->n_variants;

	if (!s->n)
		return 0;
	s->n_groups = counting->n_groups;
	s->configs = calloc(n + 1, sizeof(*s->configs));
	s->slot_errors = calloc(n + 1, sizeof(*s->slot_errors));
	s->ran = calloc(s->n_variants + 1, sizeof(*s->ran));
	if (!s->configs || !s->slot_errors || !s->ran)
		return -ENOMEM;
	for (size_t i = 0; i < n; i++) {
		const struct counter_config *counters = &counting->groups[i / s->n_variants].config;
		bool *scoped = calloc(counters->n + 1, sizeof(*scoped));

		if (!scoped)
			return -ENOMEM;
		for (size_t e = 0; e < counters->n; e++)
			scoped[e] = (size_t)(counters->events[e] - counting->events.events) <
				    counting->n_scoped;
		s->configs[i] = (struct scope_config){
		    .targets = &s->targets[i % s->n_variants * s->n],
		    .n_targets = s->n,
		    .events = counters->events,
		    .n_events = counters->n,
		    .scoped = scoped,
		    .told = s->cpus,
		    .n_told = s->n_cpus,
		};
		s->slot_errors[i] = calloc(counters->n + 1, sizeof(**s->slot_errors));
		if (!s->slot_errors[i])
			return -ENOMEM;
	}
	return 0;
}

/* Whether a note of RECORD begins so. */
static bool is_noted(const struct record *record, const char *begin)
{
	for (size_t i = 0; i < record->n_notes; i++)
		if (!strncmp(record->notes[i], begin, strlen(begin)))
			return true;
	return false;
}

/* "uprobes", "kprobes", or both. */
static const char *kinds_of(const struct scopes *s)
{
	bool user = false, kernel = false;

	for (size_t i = 0; i < s->n; i++) {
		kernel |= s->specs[i].kind == SCOPE_KERNEL;
		user |= s->specs[i].kind != SCOPE_KERNEL && s->specs[i].kind != SCOPE_REGION;
	}
	return user && kernel ? "uprobes and kprobes" : kernel ? "kprobes" : "uprobes";
}

/* How the programs of a run counted their regions, or that none did. */
static int note_regions(const struct region_programs *p, struct record *record)
{
	static const char counted[] = "regions are counted by the programs that mark them",
			  failed[] = "regions: a thread could not count",
			  stray[] = "regions: there were ends without a begin";
	int r = 0;

	if (p->n && !is_noted(record, counted))
		r = record_note(record, "%s%s", counted,
				!(p->threads_user + p->threads_read)
				    ? ""
				: !p->threads_read
				    ? ", which read their counters in user space"
				: !p->threads_user
				    ? ", which read their counters by read(2)"
				    : ", which read their counters in user space, and in some "
				      "threads by read(2)");
	if (!r && p->error && !is_noted(record, failed))
		r = record_note(record, "%s: %s", failed, strerror(p->error));
	if (!r && p->unbegun && !is_noted(record, stray))
		r = record_note(record,
				"%s, %llu in the first run that had any: they are no calls, and the "
				"begins may be those that did not return",
				stray, (unsigned long long)p->unbegun);
	return r;
}

/* Once, for the first run in which that happened. */
static int note_throttled(uint64_t times, struct record *record)
{
	static const char begin[] = "the kernel throttled the scopes' probes";

	if (!times || is_noted(record, begin))
		return 0;
	return record_note(record,
			   "%s, %llu time%s in the first run in which it did: calls whose samples are "
			   "missing for that are counted as lost; see "
			   "/proc/sys/kernel/perf_event_max_sample_rate",
			   begin, (unsigned long long)times, times == 1 ? "" : "s");
}

int scopes_note_engine(const struct scopes *s, const struct scope_result *result,
		       struct record *record)
{
	static const char begin[] = "scopes are measured by ";
	static const char unseen[] =
	    "not all that ran could be followed (not other processes than the first, other programs "
	    "that it executed, or threads beyond what this user may open): how many calls there were, "
	    "and what all cost, is not known, and a call's cost is of those that were followed; to "
	    "follow all, run as root";

	for (size_t i = 0; i < s->n; i++)
		if (scope_is_region(&s->targets[i])) {
			int r = note_regions(&result->programs, record);

			if (r)
				return r;
			break;
		}
	if (note_throttled(result->throttled, record))
		return -ENOMEM;
	if (result->engine == SCOPE_ENGINE_BREAKPOINTS && !result->followed &&
	    !is_noted(record, unseen) && record_note(record, "%s", unseen))
		return -ENOMEM;
	if (result->engine == SCOPE_ENGINE_NONE || is_noted(record, begin))
		return 0;
	if (result->engine == SCOPE_ENGINE_BREAKPOINTS)
		return record_note(
		    record,
		    "%sexecute breakpoints, because %s cannot be used here: of each run the threads of "
		    "the first process are followed, and no other process; context switches within "
		    "calls are not seen; code next to a breakpoint may be slower than without it",
		    begin, kinds_of(s));
	return record_note(
	    record, "%s%s%s%s", begin, kinds_of(s),
	    result->engine == SCOPE_ENGINE_TRACEFS
		? ", defined in tracefs"
		: ", by the PMU of that name: there is no tracefs here",
	    result->inherited ? ""
			      : "; this kernel (before 6.12) cannot follow threads and processes "
				"that start during a run");
}

int scopes_check_regions(const struct scopes *s, size_t variant, const struct scope_result *result,
			 char *err, size_t err_size)
{
	size_t region = 0;

	if (s->ran[variant])
		return 0;
	s->ran[variant] = true;
	for (size_t i = 0; i < s->n; i++) {
		const struct scope_target *t = &s->targets[variant * s->n + i];

		if (!scope_is_region(t) || result->programs.present >> region++ & 1)
			continue;
		snprintf(err, err_size,
			 "--scope '%s': no program of this run (%s) has a region of that name, or it is "
			 "setuid, or was compiled with another version of abstat/region.h: regions are "
			 "marked by ABSTAT_REGION_BEGIN(%s) and ABSTAT_REGION_END(%s), and "
			 "'abstat list --scopes PROGRAM' shows their markers",
			 s->specs[i].text, t->file, t->symbol, t->symbol);
		return STATUS_CANNOT_MEASURE;
	}
	return 0;
}

int scopes_check_files(const struct scopes *s, size_t variant, char *err, size_t err_size)
{
	for (size_t i = 0; i < s->n; i++) {
		const struct scope_target *t = &s->targets[variant * s->n + i];
		const struct stat *was = &s->files[variant * s->n + i];
		struct stat is;

		if (!t->file || scope_is_region(t))
			continue;
		if (!stat(t->file, &is) && is.st_dev == was->st_dev && is.st_ino == was->st_ino &&
		    is.st_size == was->st_size && is.st_mtim.tv_sec == was->st_mtim.tv_sec &&
		    is.st_mtim.tv_nsec == was->st_mtim.tv_nsec)
			continue;
		snprintf(err, err_size,
			 "--scope '%s': %s was changed, replaced or removed after the scope was found in it, "
			 "so that what was probed is not what ran: build before abstat, not in a hook or "
			 "beside it",
			 s->specs[i].text, t->file);
		return STATUS_CANNOT_MEASURE;
	}
	return 0;
}

const struct scope_target *scopes_returned(const struct scopes *s, size_t variant,
					   const char **name)
{
	for (size_t i = 0; i < s->n; i++) {
		const struct scope_target *t = &s->targets[variant * s->n + i];

		if (scope_is_region(t) || t->kind == SCOPE_KERNEL ||
		    scope_ending_of(t) != SCOPE_ENDING_RETURN)
			continue;
		*name = s->specs[i].name;
		return t;
	}
	return NULL;
}

void scopes_release(struct scopes *s)
{
	for (size_t i = 0; s->slot_errors && i < s->n_groups * s->n_variants; i++)
		free(s->slot_errors[i]);
	for (size_t i = 0; s->configs && i < s->n_groups * s->n_variants; i++)
		free((void *)s->configs[i].scoped);
	for (size_t i = 0; s->constants && i < s->n_groups; i++)
		free(s->constants[i]);
	free(s->constants);
	for (size_t i = 0; s->targets && i < s->n_variants * s->n; i++)
		scope_target_release(&s->targets[i]);
	for (size_t i = 0; i < s->n; i++)
		scope_spec_release(&s->specs[i]);
	free(s->slot_errors);
	free(s->files);
	free(s->ran);
	free(s->configs);
	free(s->targets);
	free(s->cpus);
	free(s->specs);
	*s = (struct scopes){0};
}
