/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The words of record files. */
#include "record-file.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))

static const char *const directions[] = {
    [DIRECTION_NEUTRAL] = "neutral",
    [DIRECTION_LOWER] = "lower",
    [DIRECTION_HIGHER] = "higher",
};
static const char *const sources[] = {
    [METRIC_COUNTER] = "counter", [METRIC_TOOL] = "tool",     [METRIC_EXPR] = "expression",
    [METRIC_EXTRACT] = "extract", [METRIC_IMPORT] = "import",
    [METRIC_SCOPE] = "scope",
};
static const char *const stops[] = {
    [STOPPED_NOT] = "not",
    [STOPPED_VERDICT] = "verdict",
    [STOPPED_BLOCKS] = "blocks",
    [STOPPED_TIME] = "time",
    [STOPPED_PRECISION] = "precision",
    [STOPPED_INTERRUPT] = "interrupt",
    [STOPPED_FAILED] = "failed",
};
static const char *const outcomes[] = {
    [RUN_OK] = "ok",
    [RUN_EXIT] = "exit",
    [RUN_SIGNAL] = "signal",
    [RUN_TIMEOUT] = "timeout",
    [RUN_STRAGGLERS] = "stragglers",
    [RUN_INTERRUPTED] = "interrupted",
    [RUN_NOT_STARTED] = "not-started",
};

static int find(const char *const *tokens, size_t n, const char *token, size_t len)
{
	for (size_t i = 0; i < n; i++)
		if (strlen(tokens[i]) == len && !memcmp(tokens[i], token, len))
			return (int)i;
	return -1;
}

const char *direction_token(enum direction direction)
{
	return directions[direction];
}

const char *metric_source_token(enum metric_source source)
{
	return sources[source];
}

const char *stop_reason_token(enum stop_reason reason)
{
	return stops[reason];
}

const char *run_outcome_token(enum run_outcome outcome)
{
	return outcomes[outcome];
}

int direction_find(const char *token, size_t len)
{
	return find(directions, ARRAY_SIZE(directions), token, len);
}

int metric_source_find(const char *token, size_t len)
{
	return find(sources, ARRAY_SIZE(sources), token, len);
}

int stop_reason_find(const char *token, size_t len)
{
	return find(stops, ARRAY_SIZE(stops), token, len);
}

int run_outcome_find(const char *token, size_t len)
{
	return find(outcomes, ARRAY_SIZE(outcomes), token, len);
}

const char *metric_formula_key(enum metric_source source)
{
	switch (source) {
	case METRIC_COUNTER:
		return "encoding";
	case METRIC_EXTRACT:
		return "regex";
	default:
		return "formula";
	}
}

void utc_format(char buf[UTC_SIZE], uint64_t ns)
{
	time_t seconds = (time_t)(ns / 1000000000);
	struct tm tm;
	size_t n;

	gmtime_r(&seconds, &tm);
	n = strftime(buf, UTC_SIZE, "%Y-%m-%dT%H:%M:%S", &tm);
	snprintf(buf + n, UTC_SIZE - n, ".%09uZ", (unsigned)(ns % 1000000000));
}

int utc_parse(const char *text, uint64_t *ns)
{
	struct tm tm = {0};
	unsigned fraction;
	int end = 0;
	time_t seconds;

	if (strlen(text) != 30 ||
	    sscanf(text, "%4d-%2d-%2dT%2d:%2d:%2d.%9uZ%n", &tm.tm_year, &tm.tm_mon, &tm.tm_mday,
		   &tm.tm_hour, &tm.tm_min, &tm.tm_sec, &fraction, &end) != 7 ||
	    end != 30)
		return -1;
	tm.tm_year -= 1900;
	tm.tm_mon -= 1;
	seconds = timegm(&tm);
	if (seconds < 0)
		return -1;
	*ns = (uint64_t)seconds * 1000000000 + fraction;
	return 0;
}
