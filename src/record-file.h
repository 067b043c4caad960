/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the writer and the reader of record files agree on: abstat-record(5).
 *
 * A record file is NDJSON. The first line is the header, whose first key is "abstat-record" with
 * the version. Then come, each on a line of its own: the discarded warm-up runs, the plan, the
 * measured runs, and, if the measurement was not killed, a closing line.
 */
#ifndef ABSTAT_RECORD_FILE_H
#define ABSTAT_RECORD_FILE_H

#include <stddef.h>

#include "metric.h"
#include "record.h"
#include "run.h"

#define RECORD_KEY "abstat-record"
enum { RECORD_VERSION = 1 };

/* The words that files hold for enumerations; *_find return -1 for a word that is none of them. */
const char *direction_token(enum direction direction);
const char *metric_source_token(enum metric_source source);
const char *stop_reason_token(enum stop_reason reason);
const char *run_outcome_token(enum run_outcome outcome);
int direction_find(const char *token, size_t len);
int metric_source_find(const char *token, size_t len);
int stop_reason_find(const char *token, size_t len);
int run_outcome_find(const char *token, size_t len);

/* The key of struct metric's formula in a header: "encoding", "formula", "regex". */
const char *metric_formula_key(enum metric_source source);

/* CLOCK_REALTIME in ns as "2026-11-30T13:47:47.123456789Z" and back (-1: not such a text). */
#define UTC_SIZE 40
void utc_format(char buf[UTC_SIZE], uint64_t ns);
int utc_parse(const char *text, uint64_t *ns);

#endif
