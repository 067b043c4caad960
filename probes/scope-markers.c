/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Scopes from one USDT marker to another. */
#include "scope-find.h"

#include <elf.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scope-marks.h"

/* A marker may be in many places: in functions that were inlined. More than these are too many. */
enum { MOST_PLACES = 256 };

struct places {
	const char *wanted;                                    /* PROVIDER:NAME */
	uint64_t address[MOST_PLACES], semaphore[MOST_PLACES]; /* 0: it has none */
	size_t n, total;
};

/* Markers that are like one that is wanted: its provider's by their names, others by both. */
struct likes {
	struct nearest_names name, both;
};

struct marker_search {
	struct places begin, end;
	struct likes like_begin, like_end;
	size_t n_markers;
};

static bool is_called(const struct scope_mark *mark, const char *wanted)
{
	size_t n = strlen(mark->provider);

	return !strncmp(mark->provider, wanted, n) && wanted[n] == ':' &&
	       !strcmp(wanted + n + 1, mark->name);
}

static void note(struct places *p, const struct scope_mark *mark)
{
	if (!is_called(mark, p->wanted))
		return;
	p->total++;
	if (p->n == MOST_PLACES)
		return;
	p->semaphore[p->n] = mark->semaphore;
	p->address[p->n++] = mark->address;
}

static void consider(struct likes *likes, const struct scope_mark *mark)
{
	char both[2 * NEAREST_LONGEST];
	size_t n = strlen(mark->provider);

	snprintf(both, sizeof(both), "%.90s:%.90s", mark->provider, mark->name);
	if (!strncmp(likes->both.name, mark->provider, n) && likes->both.name[n] == ':')
		nearest_names_consider(&likes->name, mark->name, both);
	else
		nearest_names_consider(&likes->both, both, both);
}

static int look_at(const struct scope_mark *mark, void *context)
{
	struct marker_search *x = context;

	x->n_markers++;
	note(&x->begin, mark);
	note(&x->end, mark);
	consider(&x->like_begin, mark);
	consider(&x->like_end, mark);
	return 0;
}

/* The kernel counts it up in the program's memory. */
static bool is_writable(const struct elf_file *f, uint64_t address)
{
	for (size_t i = 1; i < f->n_sections; i++) {
		const struct elf_section *s = &f->sections[i];

		if ((s->flags & (SHF_ALLOC | SHF_WRITE)) == (SHF_ALLOC | SHF_WRITE) &&
		    address - s->address < s->size)
			return true;
	}
	return false;
}

static int set_sites(const struct scope_search *s, const struct elf_file *f, const struct places *p,
		     struct scope_site *sites)
{
	int r = 0;

	for (size_t i = 0; i < p->n && !r; i++) {
		struct scope_site semaphore = {0};

		r = scope_site_at(s, f, p->address[i], &sites[i]);
		if (!r && p->semaphore[i] && !is_writable(f, p->semaphore[i]))
			return scope_fail(
			    s, -EINVAL,
			    "%s: the semaphore of the marker %s, at 0x%llx, is not in data "
			    "that can be written: the file is damaged",
			    f->path, p->wanted, (unsigned long long)p->semaphore[i]);
		if (!r && p->semaphore[i])
			r = scope_site_at(s, f, p->semaphore[i], &semaphore);
		sites[i].semaphore = semaphore.offset;
	}
	return r;
}

static int take_markers(const struct scope_search *s, const struct elf_file *f,
			const struct marker_search *x)
{
	struct scope_target *target = s->target;
	int r = scope_set_file(s, f);

	const struct places *many = x->begin.total > x->begin.n ? &x->begin : &x->end;

	target->symbol = strdup(x->begin.wanted);
	target->more = calloc(x->begin.n, sizeof(*target->more));
	target->ends = calloc(x->end.n, sizeof(*target->ends));
	if (r || !target->symbol || !target->more || !target->ends)
		return r ? r : -ENOMEM;
	if (many->total > many->n)
		return scope_fail(s, -ENOTUNIQ,
				  "the marker %s is in %zu places of %s, and %d can be probed: "
				  "choose another marker, or a function",
				  many->wanted, many->total, f->path, MOST_PLACES);
	target->address = x->begin.address[0];
	r = set_sites(s, f, &x->begin, target->more);
	if (!r)
		r = set_sites(s, f, &x->end, target->ends);
	target->begin = target->more[0];
	target->n_more = r ? 0 : x->begin.n - 1;
	memmove(target->more, target->more + 1, target->n_more * sizeof(*target->more));
	target->n_ends = r ? 0 : x->end.n;
	return r;
}

static void likes_text(const struct likes *likes, char *text, size_t size)
{
	nearest_names_text(likes->name.n ? &likes->name : &likes->both, text, size);
}

static int one_is_missing(const struct scope_search *s, const struct elf_file *f,
			  const struct marker_search *x)
{
	const struct places *has = x->begin.n ? &x->begin : &x->end;
	const struct places *lacks = x->begin.n ? &x->end : &x->begin;
	char nearest[320];

	likes_text(x->begin.n ? &x->like_end : &x->like_begin, nearest, sizeof(nearest));
	return scope_fail(s, -ENOENT,
			  "%s has the marker %s, but not %s%s%s: 'abstat list --scopes %s' shows "
			  "those that it has",
			  f->path, has->wanted, lacks->wanted, *nearest ? "; did you mean: " : "",
			  nearest, f->path);
}

static struct nearest_names nearest_to(const char *name)
{
	return (struct nearest_names){.name = name, .len = strnlen(name, NEAREST_LONGEST - 1)};
}

static struct likes likes_of(const char *wanted)
{
	const char *colon = strchr(wanted, ':');

	return (struct likes){nearest_to(colon ? colon + 1 : wanted), nearest_to(wanted)};
}

static int try_markers(const struct scope_search *s, struct elf_file *f, bool library,
		       void *context)
{
	struct marker_search *x = context;
	int r;

	x->begin = (struct places){.wanted = s->spec->begin};
	x->end = (struct places){.wanted = s->spec->end};
	r = scope_marks_each(f, look_at, x);
	if (r == -EBADMSG && library)
		r = 0;
	if (r == -EBADMSG)
		return scope_fail(s, r,
				  "%s: what it says of its USDT markers (.note.stapsdt) is damaged",
				  f->path);
	if (r || (!x->begin.n && !x->end.n))
		return r ? r : 1;
	return x->begin.n && x->end.n ? take_markers(s, f, x) : one_is_missing(s, f, x);
}

int scope_find_markers(const struct scope_search *s)
{
	const char *file = s->spec->binary ?: s->program;
	struct marker_search *x = calloc(1, sizeof(*x));
	char nearest[320];
	int r;

	if (!x)
		return -ENOMEM;
	x->like_begin = likes_of(s->spec->begin);
	x->like_end = likes_of(s->spec->end);
	r = scope_each_file(s, try_markers, x);
	if (r == 1) {
		likes_text(&x->like_begin, nearest, sizeof(nearest));
		r = scope_fail(s, -ENOENT, "there is no marker %s in %s%s%s%s%s", s->spec->begin,
			       file, s->spec->binary ? "" : " or the libraries that it needs",
			       *nearest ? "; did you mean: " : "", nearest,
			       x->n_markers ? ""
					    : "; nothing there has USDT markers: programs have "
					      "them if they are built with sys/sdt.h (often an "
					      "option like --enable-dtrace)");
	}
	free(x);
	return r;
}
