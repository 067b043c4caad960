/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Numbers from the workload's own output. */
#include "extract.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "expr.h"
#include "number.h"
#include "spawner.h"

static int compile(struct extract *e, char *err, size_t err_size)
{
	int r = regcomp(&e->regex, e->pattern, REG_EXTENDED | REG_NEWLINE);
	char why[160];

	if (r) {
		regerror(r, &e->regex, why, sizeof(why));
		snprintf(err, err_size, "--extract %s: '%s' is no regular expression: %s", e->name,
			 e->pattern, why);
		return r == REG_ESPACE ? -ENOMEM : -EINVAL;
	}
	if (e->regex.re_nsub)
		return 0;
	regfree(&e->regex);
	snprintf(err, err_size,
		 "--extract %s: '%s' needs a group in parentheses around the number, such as "
		 "'time: ([0-9.]+)'",
		 e->name, e->pattern);
	return -EINVAL;
}

int extract_init(struct extract *e, const char *text, char *err, size_t err_size)
{
	const char *pattern;
	int direction, r;

	*e = (struct extract){0};
	r = expr_split_definition(text, &e->name, &e->unit, &direction, &pattern, err, err_size);
	if (r)
		return r;
	e->direction = (enum direction)direction;
	e->pattern = strdup(pattern);
	r = -ENOMEM;
	if (e->pattern)
		r = compile(e, err, err_size);
	else
		snprintf(err, err_size, "out of memory");
	if (!r)
		return 0;
	free(e->name);
	free(e->unit);
	free(e->pattern);
	*e = (struct extract){0};
	return r;
}

void extract_release(struct extract *e)
{
	if (e->pattern)
		regfree(&e->regex);
	free(e->name);
	free(e->unit);
	free(e->pattern);
	*e = (struct extract){0};
}

static bool is_number(const char *s, const char *end, double *value)
{
	while (s < end && (*s == ' ' || *s == '\t'))
		s++;
	while (end > s && (end[-1] == ' ' || end[-1] == '\t'))
		end--;
	return s < end && number_parse(s, end, value) == end;
}

bool extract_from(const struct extract *e, const char *text, size_t len, double *value)
{
	regmatch_t match[2];
	size_t at = 0;

	while (at <= len) {
		/* REG_STARTEND: neither a NUL at the end is needed, nor does one inside end the
		 * text. */
		bool line_start = !at || text[at - 1] == '\n';

		match[0] = (regmatch_t){(regoff_t)at, (regoff_t)len};
		if (regexec(&e->regex, text, 2, match,
			    REG_STARTEND | (line_start ? 0 : REG_NOTBOL)))
			return false;
		if (match[1].rm_so >= 0 &&
		    is_number(text + match[1].rm_so, text + match[1].rm_eo, value))
			return true;
		at = (size_t)match[0].rm_eo + (match[0].rm_eo == match[0].rm_so);
	}
	return false;
}

bool extract_apply(const struct extract *e, const struct run_output *output, double *value)
{
	return (output->stdout_text &&
		extract_from(e, output->stdout_text, output->stdout_len, value)) ||
	       (output->stderr_text &&
		extract_from(e, output->stderr_text, output->stderr_len, value));
}
