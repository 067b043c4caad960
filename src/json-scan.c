/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A scanner for JSON text in place. */
#include "json-scan.h"

#include <string.h>

#include "number.h"

enum { MAX_DEPTH = 32 };

static void skip_blanks(struct json_scan *s)
{
	while (s->at < s->end &&
	       (*s->at == ' ' || *s->at == '\t' || *s->at == '\r' || *s->at == '\n'))
		s->at++;
}

bool json_scan_peek(struct json_scan *s, char c)
{
	skip_blanks(s);
	return s->at < s->end && *s->at == c;
}

bool json_scan_take(struct json_scan *s, char c)
{
	if (!json_scan_peek(s, c))
		return false;
	s->at++;
	return true;
}

bool json_scan_string(struct json_scan *s, const char **text, size_t *len)
{
	if (!json_scan_take(s, '"'))
		return false;
	*text = s->at;
	for (; s->at < s->end && *s->at != '"'; s->at++) {
		if ((unsigned char)*s->at < 0x20)
			return false;
		if (*s->at == '\\' && ++s->at == s->end)
			return false;
	}
	*len = (size_t)(s->at - *text);
	return json_scan_take(s, '"');
}

bool json_scan_number(struct json_scan *s, double *value)
{
	const char *end;

	skip_blanks(s);
	end = number_parse(s->at, s->end, value);
	if (!end)
		return false;
	s->at = end;
	return true;
}

bool json_scan_integer(struct json_scan *s, int64_t min, uint64_t max, int64_t *value)
{
	bool negative = json_scan_take(s, '-');
	const char *end;
	uint64_t v;

	skip_blanks(s);
	end = number_parse_u64(s->at, s->end, &v);
	if (!end || (end < s->end && (*end == '.' || *end == 'e' || *end == 'E')))
		return false;
	if (negative ? v > INT64_MAX || -(int64_t)v < min : v > max || v > INT64_MAX)
		return false;
	*value = negative ? -(int64_t)v : (int64_t)v;
	s->at = end;
	return *value >= min;
}

static bool literal(struct json_scan *s, const char *word)
{
	size_t len = strlen(word);

	skip_blanks(s);
	if ((size_t)(s->end - s->at) < len || memcmp(s->at, word, len))
		return false;
	s->at += len;
	return true;
}

bool json_scan_bool(struct json_scan *s, bool *value)
{
	*value = literal(s, "true");
	return *value || literal(s, "false");
}

bool json_scan_null(struct json_scan *s)
{
	return literal(s, "null");
}

static bool skip(struct json_scan *s, int depth)
{
	const char *text;
	double number;
	bool flag, object = json_scan_peek(s, '{');
	size_t len;

	if (!object && !json_scan_peek(s, '['))
		return json_scan_string(s, &text, &len) || json_scan_number(s, &number) ||
		       json_scan_bool(s, &flag) || json_scan_null(s);
	if (depth == MAX_DEPTH)
		return false;
	s->at++;
	if (json_scan_take(s, object ? '}' : ']'))
		return true;
	do {
		if (object && !(json_scan_string(s, &text, &len) && json_scan_take(s, ':')))
			return false;
		if (!skip(s, depth + 1))
			return false;
	} while (json_scan_take(s, ','));
	return json_scan_take(s, object ? '}' : ']');
}

bool json_scan_skip(struct json_scan *s)
{
	return skip(s, 0);
}

bool json_scan_done(struct json_scan *s)
{
	skip_blanks(s);
	return s->at == s->end;
}
