/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A function of an ELF file by its name, mangled or not. */
#include "elf-listing.h"

#include <stdlib.h>
#include <string.h>

#include "demangle.h"
#include "nearest-name.h"

enum fit { FIT_NONE, FIT_BASE, FIT_SOURCE, FIT_LINKED };

/* The first END bytes of READABLE, of which a type may come first. */
static bool is_called(const char *readable, size_t end, const char *name)
{
	size_t n = strlen(name);

	return end >= n && !memcmp(readable + end - n, name, n) &&
	       (end == n || readable[end - n - 1] == ' ');
}

static enum fit fit_of(const char *linked, const char *name)
{
	enum fit fit = FIT_NONE;

	if (!strcmp(linked, name))
		return FIT_LINKED;
	/* What was moved out of a function is a part of it, and no function of the name. */
	if (strstr(linked, ".cold"))
		return FIT_NONE;
	char *readable = demangle(linked, strlen(linked));

	if (readable && !strcmp(readable, name)) {
		fit = FIT_SOURCE;
	} else if (readable) {
		size_t n = demangled_base(readable);

		if (is_called(readable, n, name) ||
		    is_called(readable, demangled_template(readable, n), name))
			fit = FIT_BASE;
	}
	free(readable);
	return fit;
}

static enum fit best_fit(const struct elf_file *f, const struct elf_symbol *s, const char *name)
{
	enum fit best = FIT_NONE;

	for (uint32_t k = 0; s->code && k < s->n_names; k++) {
		enum fit fit = fit_of(f->names[s->first_name + k], name);

		best = fit > best ? fit : best;
	}
	return best;
}

uint32_t elf_find_function(const struct elf_file *f, const char *name, uint32_t *other)
{
	uint32_t found = ELF_NONE;
	enum fit best = FIT_NONE;

	*other = ELF_NONE;
	for (size_t i = 0; i < f->n_addressed && best < FIT_LINKED; i++) {
		enum fit fit = best_fit(f, &f->symbols[i], name);

		if (fit > best) {
			best = fit;
			found = (uint32_t)i;
			*other = ELF_NONE;
		} else if (fit == FIT_BASE && best == FIT_BASE) {
			*other = (uint32_t)i;
		}
	}
	return found;
}

static size_t count_scopes(const char *name)
{
	size_t n = 0;

	for (const char *p = strstr(name, "::"); p; p = strstr(p + 2, "::"))
		n++;
	return n;
}

/* What follows all but the last N "::" of NAME, END bytes long. */
static const char *last_parts(const char *name, size_t end, size_t n)
{
	for (size_t i = end; i > 2; i--) {
		if (name[i - 1] != ':' || name[i - 2] != ':')
			continue;
		if (!n--)
			return name + i;
		i--;
	}
	return name;
}

/* By its whole name, as it is in the source without parameters, and by as much of its end as was
 * asked for. */
static void consider(struct nearest_names *nearest, const char *linked)
{
	char *readable = demangle(linked, strlen(linked));
	char *name = readable ? strndup(readable, demangled_base(readable)) : strdup(linked);

	free(readable);
	if (!name)
		return;
	size_t end = demangled_template(name, strlen(name));
	const char *last = last_parts(name, end, count_scopes(nearest->name));
	char *bare = strndup(last, end - (size_t)(last - name));

	nearest_names_consider(nearest, name, name);
	if (bare && strcmp(bare, name) != 0)
		nearest_names_consider(nearest, bare, name);
	free(bare);
	free(name);
}

void elf_suggest_function(const struct elf_pair *p, const char *name, char *text, size_t size)
{
	struct nearest_names nearest = {.name = name, .len = strlen(name)};
	const struct elf_file *files[] = {p->old, p->new};

	*text = '\0';
	if (nearest.len > NEAREST_LONGEST)
		return;
	for (size_t side = 0; side < 2; side++)
		for (size_t i = 0; i < files[side]->n_addressed; i++)
			/* What was moved out of a function has no name of its own. */
			if (files[side]->symbols[i].code &&
			    !strstr(files[side]->symbols[i].name, ".cold"))
				consider(&nearest, files[side]->symbols[i].name);
	nearest_names_text(&nearest, text, size);
}
