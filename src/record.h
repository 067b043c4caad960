/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The record: every run of a measurement with all its readings, and the facts needed to judge it later.
 *
 * In memory it is filled by measuring, by reading a record file, or by importing another tool's output; everything
 * that is analysed or printed comes from here.
 */
#ifndef ABSTAT_RECORD_H
#define ABSTAT_RECORD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "machine.h"
#include "metric.h"
#include "run.h"

/* Why a reading has no value. */
enum null_reason {
	NULL_NONE = 0,	     /* it has one */
	NULL_NOT_SUPPORTED,  /* not countable on this machine */
	NULL_NOT_PERMITTED,
	NULL_NOT_COUNTED,    /* never got a counter: others hold them */
	NULL_PARTLY_COUNTED, /* had a counter for a part of the run only */
	NULL_DROPPED,	     /* the program is setuid, setgid or unreadable: the kernel drops its events at exec */
	NULL_OTHER_GROUP,    /* this run counted another group of events */
	NULL_OPERAND,	     /* an expression's operand has no value */
	NULL_DIVISION,	     /* an expression divided by zero */
	NULL_NO_MATCH,	     /* --extract: the output did not match */
	NULL_RUN_FAILED,     /* the run did not end well */
	NULL_PROBED,	     /* this run was probed: the whole is counted in the others */
	NULL_BARE,	     /* this run was not probed */
	NULL_CALLS_LOST,     /* too many calls of the scope have no cost */
	NULL_NO_CALLS,	     /* the scope was never called, so there is no cost a call */
	NULL_NOT_RETURNED,   /* no call of the scope returned */
	NULL_OVERLAP,	     /* calls ran at the same time, and longer than the run together */
	NULL_KILLED,	     /* what the command left behind was killed in the middle of its calls */
	NULL_NO_CALLS_HERE,  /* no call of the scope ended on this CPU */
	NULL_NOT_CALIBRATED, /* what probing adds was not measured */
	NULL_NOT_FOLLOWED,   /* others ran, and what they called is not known */
	NULL_OTHER_CPUS,     /* it ran on CPUs that are not the run's */
	NULL_NOTHING_LEFT,   /* what probing adds, as calibrated, is all that the run cost */
	NULL_UNKNOWN,	     /* read from a file without a reason that we know */
	NULL_REASONS
};

/* Plain words for messages, and the stable token that files hold ("not-counted"). */
const char *null_reason_text(enum null_reason reason);
const char *null_reason_token(enum null_reason reason);

/* The reason of a token of LEN bytes; NULL_UNKNOWN if there is none like it. */
enum null_reason null_reason_find(const char *token, size_t len);

/* What a record may hold: files from elsewhere are refused beyond it, with a message. */
enum { RECORD_MAX_METRICS = 10000, RECORD_MAX_VARIANTS = 10000 };

struct reading {
	double value;	  /* in the metric's unit; NaN if reason is set */
	uint64_t enabled; /* ns; 0 for what no counter counts */
	uint64_t running : 56; /* ns */
	uint64_t reason : 8;   /* enum null_reason */
};

struct record_run {
	uint32_t block;
	uint16_t variant;
	uint16_t position; /* in the block's order, from 0 */
	int16_t group;	   /* rotation group counted, -1: there is one group only */
	uint8_t outcome;   /* enum run_outcome */
	bool warmup;
	bool probed;	   /* scopes were measured; what the probes add is in it */
	bool rss_upper_bound; /* max_rss reads no more than the spawner's own peak: the true value is at most that */
	int32_t status;
	int32_t cpu;	   /* -1: unknown */
	uint32_t stragglers;
	uint32_t stragglers_killed;
	uint64_t start_ns; /* since record.start_ns */
	uint64_t duration_ns;
	int64_t frequency; /* Hz, -1: unknown */
	int64_t migrations;
	int64_t switches;
};

struct record_variant {
	char *name;
	char *command;
	char **argv; /* NULL-terminated, NULL if unknown */
};

/* What is known of a variant's metric where there are no single runs: from summaries that another tool printed. */
struct record_summary {
	uint64_t n;
	double mean;	/* NaN: no value, see reason */
	double sd;	/* NaN: unknown */
	bool sd_borrowed; /* the deviation is the other side's */
	double running; /* share of the time that it was counted, 1 if whole */
	uint8_t reason; /* enum null_reason */
};

enum stop_reason { STOPPED_NOT, STOPPED_VERDICT, STOPPED_BLOCKS, STOPPED_TIME, STOPPED_PRECISION, STOPPED_INTERRUPT, STOPPED_FAILED };

/* What was fixed before the first measured run. */
struct record_plan {
	uint64_t seed;
	uint32_t warmup;     /* blocks discarded */
	uint32_t max_blocks; /* N of the sequential plan, or exactly -r N */
	uint32_t min_blocks; /* --min-runs: no look before it */
	bool fixed;	     /* -r N: one look at the end */
	bool interleaved;    /* in random blocks */
	double alpha;
	double margin;	     /* of the primary metric, a fraction */
	double gate;	     /* NaN: no gate */
	double precision;    /* NaN: stops on a verdict */
	uint64_t max_time_ns;/* 0: none */
	int groups;	     /* rotation groups */
	bool multiplexed;
	bool layout_block;
	enum stop_reason stopped;
	uint32_t blocks;     /* measured, that have ended */
	uint32_t first_block; /* number of the first measured block: blocks before it were warm-up */
	uint32_t *looks;     /* numbers of blocks after which it is decided, ascending; owned; NULL if fixed */
	size_t n_looks;
	bool last_look_spends_all; /* the time limit made the last look: it spends all the alpha that is left */
};

struct record {
	struct machine machine;
	char *version;	     /* abstat's, or the tool that wrote it: "perf stat" */
	char *source;	     /* file that it came from, NULL if measured here */
	uint64_t start_ns;   /* CLOCK_REALTIME; 0: unknown */
	char *cwd;	     /* that the runs had; NULL: unknown */
	char **arguments;    /* abstat's own, from the command's name on; NULL-terminated; NULL: unknown */
	char **environment;  /* --env: "NAME=VALUE" was set, "NAME" removed, all else inherited; NULL: nothing changed */
	struct record_plan plan;
	struct metric_list metrics;
	long primary;	     /* index into metrics, -1: none chosen */
	struct record_variant *variants;
	size_t n_variants;
	struct record_run *runs;
	struct reading *readings; /* n_runs × metrics.n */
	size_t n_runs;
	size_t capacity;
	struct record_summary *summaries; /* n_variants × metrics.n, or NULL where there are runs */
	char **notes;	     /* said once, while measuring: "cycles: kernel part not permitted, ..." */
	size_t n_notes;
	size_t n_header_notes; /* of those, how many are in a record file's header */
	bool complete;	     /* of a file: its closing line is there */
};

void record_init(struct record *r);
void record_release(struct record *r);

/* Appends one run and metrics.n readings. 0 or -ENOMEM. metrics must not change after the first run. */
int record_append(struct record *r, const struct record_run *run, const struct reading *readings);
/* Appends a variant with copies of NAME and COMMAND (NULL: none) and returns it, or NULL: too many, or out of memory. */
struct record_variant *record_add_variant(struct record *r, const char *name, const char *command);
void record_variant_release(struct record_variant *v);

int record_note(struct record *r, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Whether RUN is one of those that give metric METRIC its values. */
static inline bool record_counts(const struct record *r, size_t run, size_t metric)
{
	return r->runs[run].probed == r->metrics.v[metric].probed;
}

/* Runs of a whole block: every variant once, or with scopes once bare and once probed. */
size_t record_block_runs(const struct record *r);

static inline const struct reading *record_reading(const struct record *r, size_t run, size_t metric)
{
	return &r->readings[run * r->metrics.n + metric];
}

#endif
