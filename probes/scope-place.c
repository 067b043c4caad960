/* SPDX-License-Identifier: GPL-2.0-or-later */
/* From a function that was found to the places in the file where probes go. */
#include "scope-find.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "demangle.h"
#include "scope-code.h"

/* What the compiler moved out of a function: more parts than this are not looked at. */
enum { MOST_PARTS = 8 };

struct parts {
	const struct elf_file *file;
	const char *linked; /* the function's name */
	struct scope_extent v[MOST_PARTS];
	size_t n;
};

/* The next symbol after a function whose size nobody says. */
struct following {
	uint64_t after, found;
};

static int look_after(const struct elf_function *fn, void *context)
{
	struct following *x = context;

	if (fn->address > x->after && fn->address < x->found)
		x->found = fn->address;
	return 0;
}

/* Assembly may leave the size out: then it reaches to what comes next. */
static uint64_t size_of(const struct elf_file *f, const struct elf_file *symbols,
			const struct scope_match *match)
{
	struct following x = {match->address, UINT64_MAX};
	uint64_t available = 0;

	if (match->size)
		return match->size;
	elf_functions_each(symbols, look_after, &x);
	if (!elf_bytes_at(f, match->address, &available))
		return 0;
	return x.found - match->address < available ? x.found - match->address : available;
}

/* "f.cold", where f jumps to it: other functions of the same name have one, too. */
static int look_for_part(const struct elf_function *fn, void *context)
{
	struct parts *x = context;
	size_t n = strlen(x->linked);
	const struct scope_extent part = {fn->address, fn->size};

	if ((size_t)fn->name_length < n + 5 || memcmp(fn->name, x->linked, n) != 0 ||
	    memcmp(fn->name + n, ".cold", 5) != 0 || !fn->size)
		return 0;
	for (size_t i = 0; i < x->n; i++)
		if (x->v[i].start == fn->address)
			return 0;
	if (scope_code_leads_to(x->file, &x->v[0], &part))
		x->v[x->n++] = part;
	return x->n == MOST_PARTS;
}

/* What is at ADDRESS, for messages; the caller frees it. */
struct named {
	uint64_t address;
	char *name;
};

static int look_for_name(const struct elf_function *fn, void *context)
{
	struct named *x = context;

	if (fn->address != x->address && (x->address - fn->address >= fn->size || x->name))
		return 0;
	free(x->name);
	x->name = demangle(fn->name, (size_t)fn->name_length)
		      ?: strndup(fn->name, (size_t)fn->name_length);
	return fn->address == x->address;
}

static int set_tail_call(struct scope_target *target, const struct elf_file *symbols,
			 const struct scope_code *code)
{
	struct named x = {.address = code->jumps_to};

	if (!code->jumps_to && !code->jumps_by_pointer)
		return 0;
	if (code->jumps_to)
		elf_functions_each(symbols, look_for_name, &x);
	if (x.name)
		target->tail_call = x.name;
	else if (!code->jumps_to)
		target->tail_call = strdup("a function pointer");
	else if (asprintf(&target->tail_call, "0x%" PRIx64, code->jumps_to) < 0)
		target->tail_call = NULL;
	return target->tail_call ? 0 : -ENOMEM;
}

static int set_returns(const struct scope_search *s, const struct elf_file *f,
		       const struct scope_code *code)
{
	struct scope_target *target = s->target;
	int r = 0;

	target->ends = calloc(code->n_returns + 1, sizeof(*target->ends));
	if (!target->ends)
		return -ENOMEM;
	for (size_t i = 0; i < code->n_returns && !r; i++) {
		r = scope_site_at(s, f, code->returns[i], &target->ends[i]);
		target->n_ends += !r;
	}
	return r;
}

static int take_whole(const struct scope_search *s, const struct elf_file *f,
		      const struct elf_file *symbols, const struct scope_match *match,
		      const struct scope_extent *body)
{
	struct parts parts = {.file = f, .linked = match->linked, .v = {*body}, .n = 1};
	struct scope_target *target = s->target;
	struct scope_code code = {0};
	uint64_t address;
	unsigned skipped;
	int r;

	if (scope_code_skip(f, body, &skipped, &address))
		return scope_fail(s, -EINVAL,
				  "'%s' in %s begins with a load that cannot be probed, and what "
				  "follows is the head of a loop: scope FUNC+0x..FUNC+0x.. within "
				  "it, or what calls it",
				  match->name, f->path);
	elf_functions_each(symbols, look_for_part, &parts);
	r = scope_code_init(&code, f, parts.v, parts.n);
	if (!r && code.loops)
		r = scope_fail(s, -EINVAL,
			       "'%s' in %s jumps back to its first instruction, so that a probe "
			       "there cannot tell a call from a round of its loop: scope a range "
			       "of it (FUNC+0x10..FUNC+0x40), or what calls it",
			       match->name, f->path);
	if (!r)
		r = scope_site_at(s, f, address, &target->begin);
	target->begin.skipped = skipped;
	target->address = address;
	target->at_return = true;
	if (!r)
		r = set_returns(s, f, &code);
	if (!r)
		r = set_tail_call(target, symbols, &code);
	scope_code_release(&code);
	return r;
}

static int take_boundary(const struct scope_search *s, const struct elf_file *f,
			 const struct scope_match *match, const struct scope_extent *body,
			 uint64_t offset, struct scope_site *site)
{
	uint64_t before, after;
	unsigned skipped;
	char text[160];

	if (offset >= body->size)
		return scope_fail(s, -EINVAL,
				  "'%s' in %s has 0x%" PRIx64 " bytes: +0x%" PRIx64
				  " is beyond its end",
				  match->name, f->path, body->size, offset);
	if (!scope_code_is_boundary(f, body, offset, &before, &after)) {
		scope_code_text(f, body->start + before, text, sizeof(text));
		return scope_fail(s, -EINVAL,
				  "'%s'+0x%" PRIx64 " in %s is in the middle of an instruction "
				  "(%s): instructions begin at +0x%" PRIx64 " and +0x%" PRIx64
				  "; objdump -d shows all",
				  match->name, offset, f->path, text, before, after);
	}
	const struct scope_extent here = {body->start + offset, body->size - offset};
	uint64_t address;

	(void)scope_code_skip(f, &here, &skipped, &address);
	if (skipped)
		return scope_fail(s, -EINVAL,
				  "'%s'+0x%" PRIx64 " in %s is a load of what stands beside the "
				  "code, which cannot be probed: take the instruction before or "
				  "after it",
				  match->name, offset, f->path);
	return scope_site_at(s, f, here.start, site);
}

static int take_range(const struct scope_search *s, const struct elf_file *f,
		      const struct scope_match *match, const struct scope_extent *body)
{
	struct scope_target *target = s->target;
	int r;

	target->ends = calloc(1, sizeof(*target->ends));
	if (!target->ends)
		return -ENOMEM;
	target->address = body->start + s->spec->from;
	r = take_boundary(s, f, match, body, s->spec->from, &target->begin);
	if (!r)
		r = take_boundary(s, f, match, body, s->spec->to, &target->ends[0]);
	target->n_ends = !r;
	return r;
}

int scope_take_function(const struct scope_search *s, const struct elf_file *f,
			const struct elf_file *debug, const struct scope_match *match)
{
	const struct elf_file *symbols = debug ? debug : f;
	const struct scope_extent body = {match->address, size_of(f, symbols, match)};
	uint64_t available;
	int r = scope_set_file(s, f);

	free(s->target->symbol);
	s->target->symbol = strdup(match->name);
	if (r || !s->target->symbol)
		return r ? r : -ENOMEM;
	if (!body.size || !elf_bytes_at(f, body.start, &available))
		return scope_fail(
		    s, -EINVAL, "%s has no instructions where '%s' should be: the file is damaged",
		    f->path, match->name);
	return s->spec->kind == SCOPE_RANGE ? take_range(s, f, match, &body)
					    : take_whole(s, f, symbols, match, &body);
}
