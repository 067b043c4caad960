/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Takes [NAME=]SPEC apart. C++ and Rust names may have nearly every character in them, so that a
 * separator counts only where it cannot be part of a name.
 */
#include "scope-target.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FORMS                                                                                      \
	"a scope is FUNC, BINARY:FUNC, FUNC+0x10..FUNC+0x40, k:FUNC, "                             \
	"usdt:PROVIDER:BEGIN..PROVIDER:END or region:NAME"

struct parser {
	struct scope_spec *spec;
	const char *text; /* whole, for messages */
	char *err;
	size_t err_size;
};

static int __attribute__((format(printf, 2, 3)))
fail(const struct parser *p, const char *format, ...)
{
	char what[400];
	va_list ap;

	va_start(ap, format);
	vsnprintf(what, sizeof(what), format, ap);
	va_end(ap);
	snprintf(p->err, p->err_size, "'%.200s': %s", p->text, what);
	return -EINVAL;
}

static bool is_name_char(char c)
{
	return isalnum((unsigned char)c) || c == '_' || c == '.' || c == '-';
}

/* Names are used in expressions, where they must not look like a number. */
static bool is_name(const char *text, size_t len)
{
	for (size_t i = 0; i < len; i++)
		if (!is_name_char(text[i]))
			return false;
	return len && (isalpha((unsigned char)*text) || *text == '_');
}

/* "operator==" is a function of C++. */
static bool is_operator(const char *text, size_t len)
{
	static const char word[] = "operator";
	size_t n = sizeof(word) - 1;

	return len >= n && !memcmp(text, word, n) &&
	       (len == n || (!isalnum((unsigned char)text[n]) && text[n] != '_'));
}

static int set(char **field, const char *text, size_t len)
{
	free(*field);
	*field = strndup(text, len);
	return *field ? 0 : -ENOMEM;
}

/* NAME=, if there is one: *REST is what follows. */
static int take_name(const struct parser *p, const char **rest)
{
	const char *equals = strchr(p->text, '=');
	size_t len = equals ? (size_t)(equals - p->text) : 0;

	*rest = p->text;
	if (!equals || is_operator(p->text, len))
		return 0;
	if (is_name(p->text, len)) {
		if ((len == 4 && !memcmp(p->text, "rest", 4)) ||
		    (len == 6 && !memcmp(p->text, "probed", 6)))
			return fail(p,
				    "'%.*s' has a meaning of its own in abstat's output: choose "
				    "another name",
				    (int)len, p->text);
		*rest = equals + 1;
		return set(&p->spec->name, p->text, len);
	}
	if (!len)
		return fail(p, "the name before '=' is missing: write NAME=SPEC, or SPEC alone");
	/* In the name of a file, of an operator, or among parameters of a type. */
	if (strchr(equals, ':') || memchr(p->text, '<', len) || memchr(p->text, ':', len))
		return 0;
	return fail(p,
		    "'%.*s' cannot be a scope's name: a letter or '_', then letters, digits, '_', "
		    "'.' and '-'",
		    (int)len, p->text);
}

/*
 * The ':' that is not half of a '::', and in no brackets; NULL: there is none. Of several it is the
 * last: a path may have some, a function's name has none.
 */
static const char *single_colon(const char *text)
{
	const char *found = NULL;
	int depth = 0;

	for (const char *s = text; *s; s++) {
		if (strchr("<([{", *s))
			depth++;
		else if (strchr(">)]}", *s))
			depth--;
		else if (*s == ':' && s[1] == ':')
			s++;
		else if (*s == ':' && depth <= 0)
			found = s;
	}
	return found;
}

/* "+0x10" at the end of TEXT: where it begins, with its value; NULL: there is none. */
static const char *offset_at_end(const char *text, size_t len, uint64_t *value)
{
	size_t i = len;
	char number[32], *end;

	while (i && isalnum((unsigned char)text[i - 1]))
		i--;
	if (!i || text[i - 1] != '+' || i == len || !isdigit((unsigned char)text[i]) ||
	    len - i >= sizeof(number))
		return NULL;
	memcpy(number, text + i, len - i);
	number[len - i] = '\0';
	errno = 0;
	*value = strtoull(number, &end, number[0] == '0' && tolower(number[1]) == 'x' ? 16 : 10);
	return *end || errno ? NULL : text + i - 1;
}

/* Of FUNC+0x10..FUNC+0x40 that ends at TO: what is before DOTS is an offset in the same function.
 */
static bool is_range_at(const char *text, const char *dots, const char *to, uint64_t *from,
			size_t *symbol)
{
	const char *offset = offset_at_end(text, (size_t)(dots - text), from);
	size_t end = (size_t)(to - dots) - 2;

	if (!offset)
		*from = 0;
	*symbol = (size_t)((offset ? offset : dots) - text);
	return to == dots + 2 || (end == *symbol && !memcmp(dots + 2, text, end));
}

/* FUNC+0x10..FUNC+0x40, of which the second FUNC may be left out. 1: it is no range. */
static int parse_range(const struct parser *p, const char *text)
{
	struct scope_spec *spec = p->spec;
	const char *to = offset_at_end(text, strlen(text), &spec->to), *dots = NULL;
	size_t symbol = 0;
	bool found = false;

	if (!to)
		return 1;
	for (const char *s = text; !found && (s = strstr(s, "..")) && s + 2 <= to; s++) {
		found = is_range_at(text, s, to, &spec->from, &symbol);
		dots = s;
	}
	if (!dots)
		return fail(p,
			    "one place is no scope: write where it begins and where it ends, as in "
			    "%.*s+0x10..%.*s+0x40",
			    (int)(to - text), text, (int)(to - text), text);
	if (!symbol)
		return fail(p, "the function is missing before the '+': write "
			       "FUNC+0x10..FUNC+0x40");
	if (!found)
		return fail(p,
			    "both ends of a range must be in the same function: write "
			    "%.*s+0x%" PRIx64 "..%.*s+0x%" PRIx64,
			    (int)symbol, text, spec->from, (int)symbol, text, spec->to);
	if (spec->from == spec->to)
		return fail(p, "the range ends where it begins: there is nothing in it");
	spec->kind = SCOPE_RANGE;
	return set(&spec->symbol, text, symbol);
}

static int parse_function(const struct parser *p, const char *text)
{
	const char *colon = single_colon(text);
	uint64_t ignored;
	int r = 0;

	if (colon == text)
		return fail(p, "the file before ':' is missing: write BINARY:FUNC, or FUNC alone");
	if (colon) {
		r = set(&p->spec->binary, text, (size_t)(colon - text));
		text = colon + 1;
	}
	if (r)
		return r;
	if (!*text)
		return fail(p, "the function is missing: %s", FORMS);
	r = parse_range(p, text);
	if (r <= 0)
		return r;
	for (const char *dots = strstr(text, ".."); dots; dots = strstr(dots + 1, ".."))
		if (offset_at_end(text, (size_t)(dots - text), &ignored))
			return fail(p, "the end of the range has no offset: write "
				       "FUNC+0x10..FUNC+0x40");
	p->spec->kind = SCOPE_FUNCTION;
	return set(&p->spec->symbol, text, strlen(text));
}

static int parse_kernel(const struct parser *p, const char *text)
{
	if (!*text)
		return fail(p, "the kernel function is missing: write k:FUNC, as in k:vfs_read");
	for (const char *s = text; *s; s++)
		if (!isalnum((unsigned char)*s) && *s != '_' && *s != '.' && *s != '$')
			return fail(p,
				    "'%.100s' cannot be a kernel function: write k:FUNC, as in "
				    "k:vfs_read; it is measured from its entry to its return",
				    text);
	p->spec->kind = SCOPE_KERNEL;
	return set(&p->spec->symbol, text, strlen(text));
}

/* usdt:[BINARY:]PROVIDER:BEGIN..[PROVIDER:]END */
static int parse_markers(const struct parser *p, const char *text)
{
	static const char how[] = "write usdt:PROVIDER:BEGIN..PROVIDER:END, as 'abstat list "
				  "--scopes BINARY' shows them";
	struct scope_spec *spec = p->spec;
	/* The last dots that a name can follow: "../lib.so" has some too. */
	const char *dots = NULL, *colon, *provider = text;
	int r;

	for (const char *s = text; (s = strstr(s, "..")); s++)
		dots = s;
	if (!dots || dots == text || !dots[2])
		return fail(p, "a scope has a marker where it begins and one where it ends: %s",
			    how);
	colon = memrchr(text, ':', (size_t)(dots - text));
	if (!colon || colon == text || colon + 1 == dots)
		return fail(p, "the first marker has no provider or no name: %s", how);
	for (const char *s = text; s < colon; s++)
		if (*s == ':')
			provider = s + 1;
	if (provider == colon)
		return fail(p, "the first marker has no provider: %s", how);
	if (provider != text && provider - 1 == text)
		return fail(p, "the file before ':' is missing: %s", how);
	r = set(&spec->begin, provider, (size_t)(dots - provider));
	if (!r && provider != text)
		r = set(&spec->binary, text, (size_t)(provider - text) - 1);
	if (r)
		return r;
	const char *end = dots + 2, *separator = strchr(end, ':');

	if (separator && (separator == end || !separator[1] || strchr(separator + 1, ':')))
		return fail(p, "the second marker has no provider or no name: %s", how);
	if (asprintf(&spec->end, "%.*s%s", separator ? 0 : (int)(colon + 1 - provider), provider,
		     end) < 0) {
		spec->end = NULL;
		return -ENOMEM;
	}
	if (!strcmp(spec->begin, spec->end))
		return fail(p, "it ends at the marker where it begins: %s", how);
	spec->kind = SCOPE_MARKERS;
	return 0;
}

static int parse_region(const struct parser *p, const char *text)
{
	if (!is_name(text, strlen(text)))
		return fail(p,
			    "'%.100s' cannot be a region's name: write region:NAME, with the "
			    "NAME that ABSTAT_REGION_BEGIN(NAME) has in the source",
			    text);
	p->spec->kind = SCOPE_REGION;
	return set(&p->spec->symbol, text, strlen(text));
}

static int parse_spec(const struct parser *p, const char *text)
{
	static const struct {
		const char *prefix;
		int (*parse)(const struct parser *p, const char *text);
	} kinds[] = {{"k:", parse_kernel}, {"usdt:", parse_markers}, {"region:", parse_region}};

	if (!*text)
		return fail(p, "the scope is missing: %s", FORMS);
	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++) {
		size_t n = strlen(kinds[i].prefix);

		/* "k::f" is a function of the namespace k. */
		if (!strncmp(text, kinds[i].prefix, n) && text[n] != ':')
			return kinds[i].parse(p, text + n);
	}
	return parse_function(p, text);
}

/* A name that was not given is the specification without the file. */
static int make_name(struct scope_spec *spec)
{
	int r = 0;

	switch (spec->kind) {
	case SCOPE_FUNCTION:
	case SCOPE_REGION:
		r = asprintf(&spec->name, "%s", spec->symbol);
		break;
	case SCOPE_RANGE:
		r = asprintf(&spec->name, "%s+0x%" PRIx64 "..+0x%" PRIx64, spec->symbol, spec->from,
			     spec->to);
		break;
	case SCOPE_KERNEL:
		r = asprintf(&spec->name, "k:%s", spec->symbol);
		break;
	case SCOPE_MARKERS:
		r = asprintf(&spec->name, "%s..%s", spec->begin, spec->end);
		break;
	}
	if (r < 0) {
		spec->name = NULL;
		return -ENOMEM;
	}
	for (char *s = spec->name; (s = strchr(s, '/'));)
		*s = '_';
	return 0;
}

int scope_spec_parse(struct scope_spec *spec, const char *text, char *err, size_t err_size)
{
	struct parser p = {spec, text, err, err_size};
	const char *rest;
	int r;

	*spec = (struct scope_spec){0};
	r = take_name(&p, &rest);
	if (!r)
		r = set(&spec->text, rest, strlen(rest));
	if (!r)
		r = parse_spec(&p, rest);
	if (!r && !spec->name)
		r = make_name(spec);
	if (r == -ENOMEM)
		snprintf(err, err_size, "out of memory");
	if (r)
		scope_spec_release(spec);
	return r;
}

void scope_spec_release(struct scope_spec *spec)
{
	free(spec->name);
	free(spec->text);
	free(spec->binary);
	free(spec->symbol);
	free(spec->begin);
	free(spec->end);
	*spec = (struct scope_spec){0};
}
