/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The scopes of an experiment: what was asked for, where it is in each variant's program, and how
 * it is probed.
 *
 *   --scope → specifications → targets, one a variant → a configuration a variant and group of
 * events → probed spawners
 */
#ifndef ABSTAT_SCOPES_H
#define ABSTAT_SCOPES_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/stat.h>

#include "options.h"
#include "scope-set.h"
#include "scope-target.h"

struct counting;
struct record;
struct run_config;

struct scopes {
	struct scope_spec *specs;
	size_t n;                     /* 0: nothing is scoped */
	bool only;                    /* --probed-only: no run is bare */
	int *cpus;                    /* -A: those that runs may use, whose calls are told apart */
	size_t n_cpus;
	struct scope_target *targets; /* variant × n + scope */
	size_t n_variants;
	struct scope_config *configs; /* group × n_variants + variant */
	int **slot_errors;            /* the same: errno of each event, as the spawner opened it */
	size_t n_groups;
	struct stat *files; /* as the targets: the file in which each was found */
	bool *ran; /* variant: it was probed once */
	struct scope_constant **constants; /* [group]: what the configurations refer to; or NULL */
};

/*
 * Takes the options apart. 0 or STATUS_USAGE or STATUS_CANNOT_MEASURE with a message in ERR: what
 * is no specification, two of one name, options that do not go together.
 */
int scopes_init(struct scopes *s, const struct scope_options *options,
		const struct event_options *events, char *err, size_t err_size);

/*
 * With EVENTS' -A, lists the CPUs that RUN's runs may use. 0, or an exit status with a message in
 * ERR: what can be given no row a CPU.
 */
int scopes_list_cpus(struct scopes *s, const struct event_options *events,
		     const struct run_config *run, char *err, size_t err_size);

/*
 * Finds every scope in the program of each of RUN's variants. 0 or STATUS_CANNOT_MEASURE with a
 * message that names scope and variant.
 */
int scopes_find(struct scopes *s, const struct run_config *run, char *err, size_t err_size);

/* Makes the configurations for the groups of COUNTING, which must live as long as S. 0 or -ENOMEM.
 */
int scopes_configure(struct scopes *s, const struct counting *counting);

/* Notes in RECORD how the scopes were probed, as RESULT has it, and whether probes were throttled; once
 * each. 0 or -ENOMEM. */
int scopes_note_engine(const struct scopes *s, const struct scope_result *result,
		       struct record *record);

/*
 * Measures what probing adds to the scopes' counts, for every group, and sets it in the configurations;
 * what came of it is noted in RECORD. 0, -ENOMEM, or -EINTR: a signal came, interrupt_signal().
 */
int scopes_calibrate(struct scopes *s, struct record *record);

/*
 * Whether the first probed run of VARIANT had every marked region in one of its programs: 0, or
 * STATUS_CANNOT_MEASURE with a message in ERR. Of later ones nothing is demanded.
 */
int scopes_check_regions(const struct scopes *s, size_t variant, const struct scope_result *result,
			 char *err, size_t err_size);

/*
 * Whether the files of VARIANT's scopes are those in which they were found: the kernel probes a file
 * where it was, and of another of its name nothing would be counted. 0, or STATUS_CANNOT_MEASURE with
 * a message in ERR.
 */
int scopes_check_files(const struct scopes *s, size_t variant, char *err, size_t err_size);

/*
 * The first scope of VARIANT whose return address the kernel replaces to see its end, with its name
 * in NAME; NULL: none. Exceptions do not pass it.
 */
const struct scope_target *scopes_returned(const struct scopes *s, size_t variant,
					   const char **name);

void scopes_release(struct scopes *s);

#endif
