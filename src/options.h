/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Options: what the command line said, as plain data, and the argp tables that say it.
 *
 * A command composes the tables that it needs as argp children. Strings are borrowed from argv.
 */
#ifndef ABSTAT_OPTIONS_H
#define ABSTAT_OPTIONS_H

#include <argp.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "spawner.h"
#include "variant.h"

struct string_list {
	const char **v;
	size_t n;
};
int string_list_append(struct string_list *list, const char *text); /* 0 or -ENOMEM */

/* What is counted. */
struct event_options {
	struct string_list events;  /* each -e */
	struct string_list metrics; /* each --metric, "NAME=EXPR" */
	struct string_list extracts;/* each --extract */
	int detail;		    /* number of -d */
	bool null_run;		    /* --null: times only */
	bool system_wide;	    /* -a, or -C */
	bool per_cpu;		    /* -A */
	const char *cpu_list;	    /* -C */
	bool multiplex;
};

/* Which parts of the run are measured. */
struct scope_options {
	struct string_list specs; /* each --scope */
	bool probed_only;
};

/* How often, in which order, until when. */
struct plan_options {
	uint32_t runs;	    /* -r: exactly that many blocks; 0: not given */
	uint32_t min_runs;  /* 0: not given */
	uint32_t max_runs;  /* 0: not given */
	uint32_t warmup;
	uint64_t max_time_ns; /* 0: none */
	double precision;   /* a fraction, NaN: none */
	bool seed_given;
	uint64_t seed;
};

/* How a run is executed. */
struct run_options {
	struct run_config config; /* variants are filled in later; arrays are owned by this struct */
	bool shell;
	bool ignore_failure;
	struct string_list env;
	struct string_list names, setups, prepares, concludes, cleanups;
	struct parameter *parameters;
	size_t n_parameters;
	uint8_t ok_status[256];
	int *cpus;
};

/* Where the runs are kept. */
struct save_options {
	const char *path;   /* --save */
	bool force;
	const char *resume; /* --resume */
};

/* The margin of metrics where nothing else is said. */
#define MARGIN_DEFAULT 0.01

struct metric_margin {
	const char *metric;
	double margin;
};

/* How files that are given are read. */
struct source_options {
	struct string_list metrics;   /* each --metric, "NAME=EXPR" */
	struct string_list summaries; /* each --summary, "NAME=MEAN,SD,N" */
	const char *column;	      /* --column */
	uint64_t runs;		      /* --runs; 0: not given */
};

/* How the runs are judged. */
struct judge_options {
	double alpha;  /* NaN: as planned, or 0.05 */
	double margin; /* for all metrics that have none of their own; NaN: as planned, or 1 % */
	struct metric_margin *margins;
	size_t n_margins;
	bool gate;
	const char *gate_metric; /* NULL: the primary */
	double gate_margin;	 /* NaN: the margin */
	int unclear_status;
	const char *primary;
	const char *baseline;
	const char *pairs;
	bool fdr;
	struct string_list higher, lower; /* --higher-is-better, --lower-is-better */
};

enum color_mode { COLOR_AUTO, COLOR_ALWAYS, COLOR_NEVER };

/* What is printed, and where. */
struct output_options {
	const char *format;  /* a renderer's name */
	char separator;	     /* of csv */
	const char *path;    /* -o; NULL: stdout */
	enum color_mode color;
	int verbose;
	bool quiet;	     /* no progress */
};

void event_options_init(struct event_options *o);
void plan_options_init(struct plan_options *o);
void run_options_init(struct run_options *o);
void judge_options_init(struct judge_options *o);
void output_options_init(struct output_options *o);
void source_options_release(struct source_options *o);
void event_options_release(struct event_options *o);
void scope_options_release(struct scope_options *o);
void run_options_release(struct run_options *o);
void judge_options_release(struct judge_options *o);

/* The tables; each one's input is the struct named. */
extern const struct argp event_argp;  /* struct event_options */
extern const struct argp scope_argp;  /* struct scope_options */
extern const struct argp plan_argp;   /* struct plan_options */
extern const struct argp run_argp;    /* struct run_options */
extern const struct argp save_argp;   /* struct save_options */
extern const struct argp source_argp; /* struct source_options */
extern const struct argp primary_argp; /* struct judge_options: the metric that decides */
extern const struct argp judge_argp;  /* struct judge_options: the rest, where runs are compared */
extern const struct argp output_argp; /* struct output_options */
extern const struct argp page_argp;   /* struct output_options: text or JSON */

#endif
