/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A function, or a range of its instructions, and what there is to say where it is not found. */
#include "scope-find.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dwarf-inline.h"

struct function_search {
	struct scope_matches matches;
	bool stripped;    /* the file that was meant has only the names that it exports */
	char *debug_file; /* where its debugging symbols would be; or NULL */
	bool in_library;
	char *file; /* which that is */
};

/* Of libraries that nobody named, only what they export is meant. */
static bool is_meant(const struct scope_match *match, bool library)
{
	return !library || !match->local;
}

/* "'f' is several functions: f@a.c, f@b.c; choose one". */
static int several(const struct scope_search *s, const struct elf_file *f, const char *list)
{
	return scope_fail(s, -ENOTUNIQ,
			  "'%s' is the name of several functions in %s: say which, as one of: %s",
			  s->spec->symbol, f->path, list);
}

/* What an IFUNC chooses from has its name within theirs, in every C library. */
static int indirect(const struct scope_search *s, const struct elf_file *f,
		    const struct scope_match *match)
{
	return scope_fail(
	    s, -EINVAL,
	    "'%s' in %s is not one function: a resolver (IFUNC) chooses one for the processor when "
	    "the program starts. Scope the one that it chooses: 'abstat list --scopes %s "
	    "\"*%s*\"' shows them; where it shows none, install the debugging symbols of the "
	    "library (libc6-dbg for the C library)",
	    match->name, f->path, f->path, match->linked);
}

static int try_function(const struct scope_search *s, struct elf_file *f, bool library,
			void *context)
{
	struct function_search *x = context;
	const char *wanted = s->spec->symbol;
	struct elf_file *debug = NULL;
	char *path = NULL, *where = NULL, list[900];
	int r = scope_matches_add(&x->matches, f, wanted);

	if (!r && !f->has_symbols) {
		debug = elf_debug_file_open(f, &path, &where);
		if (debug)
			r = scope_matches_add(&x->matches, debug, wanted);
		if (!debug && !library) {
			x->stripped = true;
			free(x->debug_file);
			x->debug_file = where;
			where = NULL;
		}
	}
	x->in_library |= library;
	if (!library && !r && !x->file) {
		x->file = strdup(f->path);
		r = x->file ? 0 : -ENOMEM;
	}
	if (!r && !x->matches.n)
		r = 1;
	if (!r) {
		const struct scope_match *match =
		    scope_matches_choose(&x->matches, list, sizeof(list));

		if (!match)
			r = several(s, f, list);
		else if (!is_meant(match, library))
			r = 1;
		else if (match->indirect)
			r = indirect(s, f, match);
		else
			r = scope_take_function(s, f, debug, match);
	}
	if (r == 1)
		scope_matches_clear(&x->matches);
	elf_file_free(debug);
	free(path);
	free(where);
	return r;
}

/* What debugging information knows of it; 1: nothing. */
static int inlined(const struct scope_search *s, const char *path)
{
	const char *wanted = s->spec->symbol;
	struct dwarf_inline found = {0};
	char name[128], *debug_path = NULL;
	struct elf_file *f = elf_file_open_plain(path, name, sizeof(name));
	struct elf_file *debug =
	    f && !f->has_symbols ? elf_debug_file_open(f, &debug_path, NULL) : NULL;

	scope_last_name(wanted, strcspn(wanted, "@"), name, sizeof(name));
	if (f && *name)
		(void)dwarf_inline_find(&found, debug ? debug : f, name);
	elf_file_free(debug);
	elf_file_free(f);
	free(debug_path);
	if (found.has_code)
		return 1;
	if (found.inlined)
		return scope_fail(
		    s, -ENOENT,
		    "'%s' in %s has no code of its own: every call of it was inlined%s%s. "
		    "Compile it with __attribute__((noinline)), or scope its caller%s",
		    wanted, path, *found.callers ? ", into " : "", found.callers,
		    strchr(found.callers, ',') ? "s" : "");
	if (found.known)
		return scope_fail(
		    s, -ENOENT,
		    "'%s' in %s is in the source, but has no code: nothing calls it, or "
		    "it was inlined everywhere. Compile it with "
		    "__attribute__((noinline, used))",
		    wanted, path);
	return 1;
}

static int not_found(const struct scope_search *s, const struct function_search *x)
{
	const char *wanted = s->spec->symbol, *file = x->file;
	const char *libraries = x->in_library ? " or the libraries that it needs" : "";
	char nearest[320];

	nearest_names_text(&x->matches.nearest, nearest, sizeof(nearest));
	/* Where most names are missing, what is only somewhat alike is chance. */
	if (x->stripped && x->matches.nearest.best[0].distance > 1)
		*nearest = '\0';
	if (*x->matches.variants)
		return scope_fail(s, -ENOENT,
				  "there is no function '%s' in %s, but what the compiler made of "
				  "it: %s. Scope that, or compile it with __attribute__((noipa))",
				  wanted, file, x->matches.variants);
	if (*x->matches.others)
		return scope_fail(s, -ENOENT, "there is no function '%s' in %s%s, but: %s", wanted,
				  file, libraries, x->matches.others);
	if (inlined(s, file) != 1)
		return -ENOENT;
	if (x->stripped)
		return scope_fail(
		    s, -ENOENT,
		    "there is no function '%s' in what %s exports%s, and the file is stripped of "
		    "its other symbols: install its debugging symbols%s%s%s, or build it without "
		    "-s and strip(1)%s%s",
		    wanted, file, libraries, x->debug_file ? " (" : "", x->debug_file ?: "",
		    x->debug_file ? " would have them)" : "", *nearest ? "; did you mean: " : "",
		    nearest);
	if ((strstr(wanted, "::") || strchr(wanted, '(')) && x->matches.mangled)
		return scope_fail(
		    s, -ENOENT,
		    "there is no function '%s' in %s%s; some names of C++ or Rust "
		    "cannot be read by this abstat: write them as linked, which nm(1) "
		    "shows",
		    wanted, file, libraries);
	return scope_fail(s, -ENOENT,
			  "there is no function '%s' in %s%s%s%s; 'abstat list --scopes %s' "
			  "shows all",
			  wanted, file, libraries, *nearest ? "; did you mean: " : "", nearest,
			  file);
}

int scope_find_function(const struct scope_search *s)
{
	struct function_search x = {0};
	int r = scope_each_file(s, try_function, &x);

	if (r == 1)
		r = not_found(s, &x);
	scope_matches_release(&x.matches);
	free(x.debug_file);
	free(x.file);
	return r;
}
