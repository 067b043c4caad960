/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A function of an ELF file by its name, mangled or not. */
#include "elf-listing.h"

#include <stdlib.h>
#include <string.h>

#include "demangle.h"

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
