/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * --extract 'NAME[UNIT,higher|lower]=REGEX': a metric that the workload prints itself.
 *
 * REGEX is a POSIX extended regular expression, in which ^ and $ are the ends of a line and . is no
 * newline. Its first group is the number. The first place where it matches and the group is a
 * number counts; standard output is searched first, then standard error.
 */
#ifndef ABSTAT_EXTRACT_H
#define ABSTAT_EXTRACT_H

#include <regex.h>
#include <stdbool.h>
#include <stddef.h>

#include "metric.h"

struct run_output;

struct extract {
	char *name;
	char *unit; /* "" if left out */
	char *pattern;
	enum direction direction;
	regex_t regex;
};

/* Parses TEXT. 0; -EINVAL or -ENOMEM with a message in ERR, and nothing to release. */
int extract_init(struct extract *e, const char *text, char *err, size_t err_size);
void extract_release(struct extract *e);

/* Searches LEN bytes at TEXT, which may hold anything, with a NUL behind them. True if *VALUE was
 * found. */
bool extract_from(const struct extract *e, const char *text, size_t len, double *value);

/* Searches a run's output, kept whole (run_config.keep_output). */
bool extract_apply(const struct extract *e, const struct run_output *output, double *value);

#endif
