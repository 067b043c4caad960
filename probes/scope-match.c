/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Looks for a function by every way to write its name. */
#include "scope-match.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "demangle.h"

struct search {
	struct scope_matches *m;
	const char *wanted; /* without @WHICH */
	size_t len;
	const char *which;    /* or NULL */
	char identifier[128]; /* every mangled name of it has this in it; empty: not known */
	int error;
};

static bool is_word(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

void scope_last_name(const char *wanted, size_t len, char *text, size_t size)
{
	char *copy = strndup(wanted, len);
	size_t end = copy ? demangled_base(copy) : 0, start;

	if (copy && strstr(copy, "operator"))
		end = 0;
	if (end)
		end = demangled_template(copy, end);
	for (start = end; start && is_word(copy[start - 1]);)
		start--;
	snprintf(text, size, "%.*s", (int)(end - start), copy ? copy + start : "");
	if (end - start >= size)
		*text = '\0';
	free(copy);
}

static bool is_same(const struct search *s, const char *name, size_t len)
{
	return len == s->len && !memcmp(name, s->wanted, len);
}

/* Without parameters and the type that a template returns, then without the template's own. */
static enum scope_fit fit_of_base(const struct search *s, const char *readable)
{
	size_t n = demangled_base(readable), bare = demangled_template(readable, n);

	if (is_same(s, readable, n))
		return FIT_BASE;
	if (n > s->len && readable[n - s->len - 1] == ' ' &&
	    is_same(s, readable + n - s->len, s->len))
		return FIT_BASE;
	if (is_same(s, readable, bare) || (bare > s->len && readable[bare - s->len - 1] == ' ' &&
					   is_same(s, readable + bare - s->len, s->len)))
		return FIT_TEMPLATE;
	return FIT_NONE;
}

static enum scope_fit fit_of(struct search *s, const struct elf_function *fn, char **readable)
{
	size_t len = (size_t)fn->name_length;

	*readable = NULL;
	if (is_same(s, fn->name, len))
		return FIT_LINKED;
	if (len < 3 || fn->name[0] != '_' || (fn->name[1] != 'Z' && fn->name[1] != 'R'))
		return FIT_NONE;
	/* What was moved out of a function is a part of it, and no function of the name. */
	if (memmem(fn->name, len, ".cold", 5))
		return FIT_NONE;
	if (*s->identifier && !memmem(fn->name, len, s->identifier, strlen(s->identifier)))
		return FIT_NONE;
	*readable = demangle(fn->name, len);
	s->m->mangled |= !*readable;
	if (!*readable)
		return FIT_NONE;
	if (is_same(s, *readable, strlen(*readable)))
		return FIT_SOURCE;
	return fit_of_base(s, *readable);
}

/* PATH is WHICH, or ends with it after a '/'. */
static bool is_path_end(const char *path, const char *which)
{
	size_t n = strlen(path), m = strlen(which);

	return n >= m && !strcmp(path + n - m, which) && (n == m || path[n - m - 1] == '/');
}

static bool is_which(const struct search *s, const struct elf_function *fn)
{
	const char *which = s->which;
	char *end;

	if (!which)
		return true;
	if (which[0] == '0' && tolower((unsigned char)which[1]) == 'x')
		return fn->address == strtoull(which, &end, 16) && !*end;
	if (!strcmp(which, "global"))
		return !fn->local;
	return (fn->version && !strcmp(fn->version, which)) ||
	       (fn->source && is_path_end(fn->source, which));
}

void scope_matches_clear(struct scope_matches *m)
{
	for (size_t i = 0; i < m->n; i++) {
		free(m->v[i].name);
		free(m->v[i].linked);
		free(m->v[i].version);
		free(m->v[i].source);
	}
	m->n = m->total = 0;
	m->best = FIT_NONE;
}

static int copy_text(char **to, const char *text, size_t len)
{
	*to = text ? strndup(text, len) : NULL;
	return text && !*to ? -ENOMEM : 0;
}

static int add(struct scope_matches *m, const struct elf_function *fn, char **readable)
{
	struct scope_match *match;
	int r = 0;

	for (size_t i = 0; i < m->n; i++) {
		match = &m->v[i];
		if (match->address != fn->address)
			continue;
		/* The same function in another table, or by another name that fits as well. */
		if (!match->version && fn->version)
			r = copy_text(&match->version, fn->version, strlen(fn->version));
		match->is_default &= fn->is_default;
		match->local &= fn->local;
		return r;
	}
	m->total++;
	if (m->n == SCOPE_MATCHES)
		return 0;
	match = &m->v[m->n++];
	*match = (struct scope_match){
	    .is_default = fn->is_default,
	    .local = fn->local,
	    .indirect = fn->indirect,
	    .address = fn->address,
	    .size = fn->size,
	};
	r = copy_text(&match->linked, fn->name, (size_t)fn->name_length);
	if (!r && fn->version)
		r = copy_text(&match->version, fn->version, strlen(fn->version));
	if (!r && fn->source)
		r = copy_text(&match->source, fn->source, strlen(fn->source));
	if (!r && !*readable)
		*readable = strdup(match->linked);
	match->name = *readable;
	*readable = NULL;
	return r || !match->name ? -ENOMEM : 0;
}

void scope_note_variant(char *variants, size_t size, const char *wanted, size_t wanted_len,
			const char *name, size_t len)
{
	size_t n = strlen(variants);

	if (len <= wanted_len || memcmp(name, wanted, wanted_len) != 0 || name[wanted_len] != '.' ||
	    memmem(name, len, ".cold", 5) || n + len + 3 > size || memmem(variants, n, name, len))
		return;
	snprintf(variants + n, size - n, "%s%.*s", n ? ", " : "", (int)len, name);
}

static void note_alike(struct search *s, const struct elf_function *fn)
{
	char name[NEAREST_LONGEST];

	if (fn->name_length >= NEAREST_LONGEST)
		return;
	snprintf(name, sizeof(name), "%.*s", fn->name_length, fn->name);
	nearest_names_consider(&s->m->nearest, name, name);
}

/* Adds NAME[@WHICH] to the list of others, once, while there is room. */
static void note_other(struct search *s, const char *name, const char *which)
{
	char *others = s->m->others, one[sizeof(s->m->others)];
	size_t n = strlen(others);
	int len = snprintf(one, sizeof(one), "%s%s%s", name, which ? "@" : "", which ? which : "");

	if (len < 0 || n + (size_t)len + 3 > sizeof(s->m->others) || strstr(others, one))
		return;
	memcpy(others + n, ", ", n ? 2 : 0);
	memcpy(others + n + (n ? 2 : 0), one, (size_t)len + 1);
}

/* FN has the name, and is not WHICH: as what it could be had. */
static void note_another(struct search *s, const struct elf_function *fn)
{
	char name[128], address[32];

	snprintf(name, sizeof(name), "%.*s", (int)s->len, s->wanted);
	snprintf(address, sizeof(address), "0x%" PRIx64, fn->address);
	if (s->which[0] == '0' && tolower((unsigned char)s->which[1]) == 'x')
		note_other(s, name, address);
	else
		note_other(s, name,
			   fn->version  ? fn->version
			   : !fn->local ? "global"
			   : fn->source ? fn->source
					: address);
}

/* "area" or "Poly::area", where there is "shapes::Poly::area() const". */
static void note_qualified(struct search *s, const char *readable)
{
	size_t n = demangled_base(readable);

	if (n > s->len + 2 && !memcmp(readable + n - s->len, s->wanted, s->len) &&
	    !memcmp(readable + n - s->len - 2, "::", 2))
		note_other(s, readable, NULL);
}

static int consider(const struct elf_function *fn, void *context)
{
	struct search *s = context;
	char *readable;
	enum scope_fit fit = fit_of(s, fn, &readable);

	if (fit == FIT_NONE) {
		scope_note_variant(s->m->variants, sizeof(s->m->variants), s->wanted, s->len,
				   fn->name, (size_t)fn->name_length);
		note_alike(s, fn);
		if (readable && !s->which)
			note_qualified(s, readable);
	} else if (!is_which(s, fn)) {
		note_another(s, fn);
	} else if (fit >= s->m->best) {
		if (fit > s->m->best)
			scope_matches_clear(s->m);
		s->m->best = fit;
		s->error = add(s->m, fn, &readable);
	}
	free(readable);
	return s->error;
}

int scope_matches_add(struct scope_matches *m, const struct elf_file *f, const char *wanted)
{
	const char *at = strchr(wanted + (*wanted != '\0'), '@');
	struct search s = {.m = m, .wanted = wanted, .which = at};

	s.len = at ? (size_t)(at - wanted) : strlen(wanted);
	if (at)
		s.which += at[1] == '@' ? 2 : 1;
	m->nearest.name = wanted;
	m->nearest.len = s.len < NEAREST_LONGEST ? s.len : NEAREST_LONGEST - 1;
	scope_last_name(wanted, s.len, s.identifier, sizeof(s.identifier));
	int r = elf_functions_each(f, consider, &s);

	return s.error ? s.error : r;
}

void scope_matches_release(struct scope_matches *m)
{
	scope_matches_clear(m);
	*m = (struct scope_matches){0};
}

/* How MATCH is told from the others. */
static void describe(const struct scope_matches *m, const struct scope_match *match, char *text,
		     size_t size)
{
	size_t same_name = 0, same_linked = 0, same_source = 0, globals = 0;

	for (size_t i = 0; i < m->n; i++) {
		const struct scope_match *o = &m->v[i];

		same_name += !strcmp(o->name, match->name);
		same_linked += !strcmp(o->linked, match->linked);
		globals += !o->local;
		same_source += match->source && o->source && !strcmp(o->source, match->source);
	}
	if (same_name == 1)
		snprintf(text, size, "%s", match->name);
	else if (same_linked == 1)
		snprintf(text, size, "%s", match->linked);
	else if (match->version)
		snprintf(text, size, "%s@%s", match->name, match->version);
	else if (match->source && same_source == 1)
		snprintf(text, size, "%s@%s", match->name, match->source);
	else if (!match->local && globals == 1)
		snprintf(text, size, "%s@global", match->name);
	else
		snprintf(text, size, "%s@0x%" PRIx64, match->name, match->address);
}

/* Of several versions of one function, the one that new programs get. */
static const struct scope_match *default_version(const struct scope_matches *m)
{
	const struct scope_match *found = NULL;

	for (size_t i = 0; i < m->n; i++) {
		if (!m->v[i].version)
			return NULL;
		if (!m->v[i].is_default)
			continue;
		if (found)
			return NULL;
		found = &m->v[i];
	}
	return found;
}

const struct scope_match *scope_matches_choose(const struct scope_matches *m, char *list,
					       size_t list_size)
{
	const struct scope_match *found =
	    m->n == 1 && m->total == 1 ? &m->v[0] : default_version(m);
	size_t n = 0;

	*list = '\0';
	if (found)
		return found;
	for (size_t i = 0; i < m->n; i++) {
		char one[300];

		describe(m, &m->v[i], one, sizeof(one));
		if (n + strlen(one) + 16 > list_size) {
			snprintf(list + n, list_size - n, ", ...");
			break;
		}
		n += (size_t)snprintf(list + n, list_size - n, "%s%s", i ? ", " : "", one);
	}
	return NULL;
}
