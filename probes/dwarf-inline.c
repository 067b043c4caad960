/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds inlined functions and where they went. The first walk finds the entries that are the
 * function, the second one those that are a copy of it in another.
 */
#include "dwarf-inline.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "dwarf-unit.h"

enum { TAG_SUBPROGRAM = 0x2e, TAG_INLINED = 0x1d, MOST_ENTRIES = 64, DEEPEST = 64, HOPS = 4 };

struct walk {
	struct dwarf d;
	struct dwarf_inline *out;
	const char *name;
	size_t found[MOST_ENTRIES]; /* of the function, by their offsets */
	size_t n_found;
	struct {
		size_t entry;
		unsigned depth;
	} open[DEEPEST]; /* the functions that the walk is in */
	size_t n_open;
};

static bool is_found(const struct walk *w, size_t at)
{
	for (size_t i = 0; i < w->n_found; i++)
		if (w->found[i] == at)
			return true;
	return false;
}

static void note_function(struct walk *w, const struct dwarf_entry *e)
{
	if (e->tag != TAG_SUBPROGRAM)
		return;
	if ((!e->name || strcmp(e->name, w->name) != 0) &&
	    (!e->linkage_name || strcmp(e->linkage_name, w->name) != 0) &&
	    (!e->origin || !is_found(w, e->origin)))
		return;
	w->out->known |= !e->declared;
	w->out->has_code |= e->has_code;
	w->out->inlined |= e->inlined == 1 || e->inlined == 3;
	if (w->n_found < MOST_ENTRIES)
		w->found[w->n_found++] = e->at;
}

/* A function's own name, or that of what it is made of, within the unit. */
static const char *name_of(struct walk *w, struct dwarf_unit *u, size_t at)
{
	for (int i = 0; i < HOPS && at >= u->entries && at < u->end; i++) {
		struct dwarf_entry e;

		if (!dwarf_entry_read(&e, &w->d, u, at))
			return NULL;
		if (e.name)
			return e.name;
		at = e.origin;
	}
	return NULL;
}

static void note_caller(struct walk *w, struct dwarf_unit *u)
{
	const char *name = w->n_open ? name_of(w, u, w->open[w->n_open - 1].entry) : NULL;
	char *list = w->out->callers;
	size_t n = strlen(list), len = name ? strlen(name) : 0;
	const char *at = name ? strstr(list, name) : NULL;

	if (!name || n + len + 3 > sizeof(w->out->callers))
		return;
	/* Each once. */
	for (; at; at = strstr(at + 1, name))
		if ((at == list || at[-1] == ' ') && (!at[len] || at[len] == ','))
			return;
	snprintf(list + n, sizeof(w->out->callers) - n, "%s%s", n ? ", " : "", name);
}

static void walk_unit(struct walk *w, struct dwarf_unit *u, bool callers)
{
	unsigned depth = 0;
	size_t at = u->entries;

	w->n_open = 0;
	while (at && at < u->end) {
		struct dwarf_entry e;

		at = dwarf_entry_read(&e, &w->d, u, at);
		if (!at)
			return;
		if (!e.tag) {
			depth -= depth > 0;
			while (w->n_open && w->open[w->n_open - 1].depth >= depth)
				w->n_open--;
			continue;
		}
		if (!callers)
			note_function(w, &e);
		else if (e.tag == TAG_INLINED && is_found(w, e.origin))
			note_caller(w, u);
		if (e.tag == TAG_SUBPROGRAM && e.children && w->n_open < DEEPEST) {
			w->open[w->n_open].entry = e.at;
			w->open[w->n_open++].depth = depth;
		}
		depth += e.children;
	}
}

static void walk_all(struct walk *w, bool callers)
{
	struct dwarf_unit u = {0};
	size_t next;

	for (size_t at = 0; (next = dwarf_unit_read(&u, &w->d, at)); at = next)
		if (!u.skipped)
			walk_unit(w, &u, callers);
	dwarf_unit_release(&u);
}

int dwarf_inline_find(struct dwarf_inline *out, const struct elf_file *f, const char *name)
{
	struct walk w = {.out = out, .name = name};
	int r = dwarf_init(&w.d, f);

	*out = (struct dwarf_inline){0};
	if (r)
		return r;
	walk_all(&w, false);
	if (w.n_found)
		walk_all(&w, true);
	return 0;
}
