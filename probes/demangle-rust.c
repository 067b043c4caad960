/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Names of Rust in its own scheme ("v0", RFC 2603), which begin with _R.
 *
 * As the source has them: without hashes, lifetimes and the angle brackets around types that have
 * methods, so that a name reads the same in the older scheme: "a::b::Type::method".
 */
#include "demangle.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A short name with references back can stand for an endless one. */
enum { DEEPEST = 100, MOST_STEPS = 20000 };

struct rust {
	const char *text; /* after _R */
	size_t at, n;
	char *out;
	size_t len;
	unsigned depth, steps;
	int silent; /* what is read is not a part of the name */
	bool bad;
};

static void path(struct rust *r);
static void type(struct rust *r);

static char peek(const struct rust *r)
{
	return r->at < r->n ? r->text[r->at] : '\0';
}

static bool take(struct rust *r, char c)
{
	if (peek(r) != c)
		return false;
	r->at++;
	return true;
}

static char next(struct rust *r)
{
	char c = peek(r);

	r->bad |= !c;
	r->at += c != '\0';
	return c;
}

static void put_n(struct rust *r, const char *text, size_t n)
{
	if (r->silent || r->bad)
		return;
	if (n >= DEMANGLED_LONGEST - r->len) {
		r->bad = true;
		return;
	}
	memcpy(r->out + r->len, text, n);
	r->len += n;
}

static void put(struct rust *r, const char *text)
{
	put_n(r, text, strlen(text));
}

static uint64_t decimal(struct rust *r)
{
	uint64_t n = 0;

	r->bad |= !isdigit((unsigned char)peek(r));
	if (take(r, '0'))
		return 0;
	while (isdigit((unsigned char)peek(r)) && n < DEMANGLED_LONGEST)
		n = 10 * n + (uint64_t)(next(r) - '0');
	return n;
}

/* "_" is 0, "0_" is 1, and so on. */
static uint64_t base62(struct rust *r)
{
	uint64_t n = 0;

	if (take(r, '_'))
		return 0;
	while (!r->bad && peek(r) != '_') {
		char c = next(r);
		int digit = isdigit((unsigned char)c)   ? c - '0'
			    : islower((unsigned char)c) ? c - 'a' + 10
			    : isupper((unsigned char)c) ? c - 'A' + 36
							: -1;

		r->bad |= digit < 0 || n > UINT64_MAX / 62 - 1;
		n = 62 * n + (uint64_t)digit;
	}
	r->at++;
	return n + 1;
}

static uint64_t disambiguator(struct rust *r)
{
	return take(r, 's') ? base62(r) + 1 : 0;
}

/* Its place and length; what is not ASCII stays encoded. */
static const char *identifier(struct rust *r, size_t *len)
{
	(void)take(r, 'u');
	*len = decimal(r);
	(void)take(r, '_');
	if (r->bad || *len > r->n - r->at) {
		r->bad = true;
		*len = 0;
		return "";
	}
	r->at += *len;
	return r->text + r->at - *len;
}

static bool enter(struct rust *r)
{
	if (++r->depth > DEEPEST || ++r->steps > MOST_STEPS)
		r->bad = true;
	return !r->bad;
}

/* What was read before, by its place: READ is called there. */
static void back(struct rust *r, void (*read)(struct rust *r))
{
	size_t here = r->at - 1, to = base62(r), after = r->at;

	if (r->bad || to >= here) {
		r->bad = true;
		return;
	}
	r->at = to;
	read(r);
	r->at = after;
}

static void nested_path(struct rust *r)
{
	char space = next(r);

	path(r);
	uint64_t number = disambiguator(r);
	size_t len;
	const char *name = identifier(r, &len);
	char text[48];

	if (!isupper((unsigned char)space)) {
		if (len) {
			put(r, "::");
			put_n(r, name, len);
		}
		return;
	}
	put(r, space == 'C' ? "::{closure" : space == 'S' ? "::{shim" : "::{?");
	if (len) {
		put(r, ":");
		put_n(r, name, len);
	}
	snprintf(text, sizeof(text), "#%" PRIu64 "}", number);
	put(r, text);
}

static void constant(struct rust *r)
{
	static const char *const names[] = {"false", "true"};
	char kind = peek(r), text[32];
	size_t start;

	if (take(r, 'B')) {
		back(r, constant);
		return;
	}
	if (take(r, 'p')) {
		put(r, "_");
		return;
	}
	r->silent++;
	type(r);
	r->silent--;
	if (take(r, 'n'))
		put(r, "-");
	for (start = r->at; isxdigit((unsigned char)peek(r));)
		r->at++;
	snprintf(text, sizeof(text), "%.*s", (int)(r->at - start), r->text + start);
	uint64_t value = strtoull(text, NULL, 16);

	if (kind == 'b' && value < 2)
		put(r, names[value]);
	else if (r->at - start > 16)
		put(r, text);
	else {
		snprintf(text, sizeof(text), "%" PRIu64, value);
		put(r, text);
	}
	r->bad |= !take(r, '_');
}

static void arguments(struct rust *r)
{
	put(r, "<");
	for (int i = 0; !r->bad && !take(r, 'E'); i++) {
		if (take(r, 'L')) {
			(void)base62(r);
			i--;
			continue;
		}
		put(r, i ? ", " : "");
		if (take(r, 'K'))
			constant(r);
		else
			type(r);
	}
	put(r, ">");
}

/* The path of the place where an implementation is. */
static void impl_path(struct rust *r)
{
	r->silent++;
	(void)disambiguator(r);
	path(r);
	r->silent--;
}

static void path(struct rust *r)
{
	const char *name;
	size_t len;

	if (!enter(r))
		return;
	switch (next(r)) {
	case 'C':
		(void)disambiguator(r);
		name = identifier(r, &len);
		put_n(r, name, len);
		break;
	case 'M':
		impl_path(r);
		type(r);
		break;
	case 'X':
		impl_path(r);
		/* fall through */
	case 'Y':
		put(r, "<");
		type(r);
		put(r, " as ");
		path(r);
		put(r, ">");
		break;
	case 'N':
		nested_path(r);
		break;
	case 'I':
		path(r);
		arguments(r);
		break;
	case 'B':
		back(r, path);
		break;
	default:
		r->bad = true;
	}
	r->depth--;
}

/* fn and extern "C" fn, with its types. */
static void function_type(struct rust *r)
{
	size_t len;

	if (take(r, 'G'))
		(void)base62(r);
	if (take(r, 'U'))
		put(r, "unsafe ");
	if (take(r, 'K')) {
		const char *abi = take(r, 'C') ? NULL : identifier(r, &len);

		put(r, "extern \"");
		put_n(r, abi ? abi : "C", abi ? len : 1);
		put(r, "\" ");
	}
	put(r, "fn(");
	for (int i = 0; !r->bad && !take(r, 'E'); i++) {
		put(r, i ? ", " : "");
		type(r);
	}
	put(r, ")");
	if (take(r, 'u'))
		return;
	put(r, " -> ");
	type(r);
}

static void dyn_type(struct rust *r)
{
	size_t len;

	put(r, "dyn ");
	if (take(r, 'G'))
		(void)base62(r);
	for (int i = 0; !r->bad && !take(r, 'E'); i++) {
		put(r, i ? " + " : "");
		path(r);
		while (take(r, 'p')) {
			const char *name = identifier(r, &len);

			put(r, "<");
			put_n(r, name, len);
			put(r, " = ");
			type(r);
			put(r, ">");
		}
	}
	if (take(r, 'L'))
		(void)base62(r);
}

static void tuple_type(struct rust *r)
{
	int i = 0;

	put(r, "(");
	for (; !r->bad && !take(r, 'E'); i++) {
		put(r, i ? ", " : "");
		type(r);
	}
	put(r, i == 1 ? ",)" : ")");
}

static void reference_type(struct rust *r, const char *sign)
{
	put(r, sign);
	if (take(r, 'L'))
		(void)base62(r);
	type(r);
}

/* By their letters, from 'a'. */
static const char *basic_type(char c)
{
	static const char names[][6] = {"i8",   "bool",  "char",  "f64", "str", "f32", "",
					"u8",   "isize", "usize", "",    "i32", "u32", "i128",
					"u128", "_",     "",      "",    "i16", "u16", "()",
					"...",  "",      "i64",   "u64", "!"};

	return islower((unsigned char)c) && *names[c - 'a'] ? names[c - 'a'] : NULL;
}

static void type(struct rust *r)
{
	const char *basic = basic_type(peek(r));

	if (!enter(r))
		return;
	if (basic) {
		r->at++;
		put(r, basic);
	} else if (take(r, 'A') || take(r, 'S')) {
		bool array = r->text[r->at - 1] == 'A';

		put(r, "[");
		type(r);
		if (array) {
			put(r, "; ");
			constant(r);
		}
		put(r, "]");
	} else if (take(r, 'T')) {
		tuple_type(r);
	} else if (take(r, 'R')) {
		reference_type(r, "&");
	} else if (take(r, 'Q')) {
		reference_type(r, "&mut ");
	} else if (take(r, 'P')) {
		reference_type(r, "*const ");
	} else if (take(r, 'O')) {
		reference_type(r, "*mut ");
	} else if (take(r, 'F')) {
		function_type(r);
	} else if (take(r, 'D')) {
		dyn_type(r);
	} else if (take(r, 'B')) {
		back(r, type);
	} else {
		path(r);
	}
	r->depth--;
}

char *demangle_rust(const char *name)
{
	struct rust r = {.text = name + 2, .n = strcspn(name + 2, ".$")};

	/* A version of the scheme that is not known. */
	if (isdigit((unsigned char)peek(&r)))
		return NULL;
	r.out = malloc(DEMANGLED_LONGEST);
	if (!r.out)
		return NULL;
	path(&r);
	/* The crate that made this copy may follow. */
	if (!r.bad && r.at < r.n) {
		r.silent++;
		path(&r);
	}
	if (r.bad || r.at != r.n) {
		free(r.out);
		return NULL;
	}
	r.out[r.len] = '\0';
	return r.out;
}
