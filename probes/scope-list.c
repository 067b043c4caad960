/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Lists the functions, markers and marked regions of a binary, with the reason where there can be
 * no scope.
 */
#include "scope-list.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "demangle.h"
#include "elf-functions.h"
#include "scope-code.h"
#include "scope-find.h"
#include "scope-marks.h"

/* A function while the list is made: what its name is told apart by. */
struct row {
	char *name, *linked, *version, *source;
	uint64_t address, size;
	bool local, indirect, is_default, label;
};

struct reading {
	scope_wanted_fn *wanted;
	void *context;
	struct row *rows;
	size_t n, room;
	struct scope_list *list;
	size_t list_room;
	bool has_regions; /* what abstat/region.h adds to a program */
	bool failed;      /* out of memory */
};

static char *copy(struct reading *x, const char *text, size_t len)
{
	char *to = text ? strndup(text, len) : NULL;

	x->failed |= text && !to;
	return to;
}

/* A part of a function, or of what abstat/region.h adds: no function of the program. */
static bool is_no_function(const struct reading *x, const struct elf_function *fn)
{
	static const char runtime[] = "abstat_region_";
	size_t len = (size_t)fn->name_length, n = sizeof(runtime) - 1;

	return memmem(fn->name, len, ".cold", 5) ||
	       (x->has_regions && len > n && !memcmp(fn->name, runtime, n));
}

static int add_function(const struct elf_function *fn, void *context)
{
	struct reading *x = context;
	char *name;

	if (is_no_function(x, fn))
		return 0;
	name = demangle(fn->name, (size_t)fn->name_length);
	if (!name)
		name = copy(x, fn->name, (size_t)fn->name_length);
	if (name && !x->wanted(name, x->context)) {
		free(name);
		return 0;
	}
	if (x->n == x->room) {
		size_t room = x->room ? 2 * x->room : 256;
		struct row *grown = reallocarray(x->rows, room, sizeof(*grown));

		if (!grown) {
			free(name);
			x->failed = true;
			return -ENOMEM;
		}
		x->rows = grown;
		x->room = room;
	}
	x->rows[x->n++] = (struct row){
	    .name = name,
	    .linked = copy(x, fn->name, (size_t)fn->name_length),
	    .version = fn->version ? copy(x, fn->version, strlen(fn->version)) : NULL,
	    .source = fn->source ? copy(x, fn->source, strlen(fn->source)) : NULL,
	    .address = fn->address,
	    .size = fn->size,
	    .local = fn->local,
	    .indirect = fn->indirect,
	    .is_default = fn->is_default,
	    .label = fn->label,
	};
	return x->failed ? -ENOMEM : 0;
}

static int compare_rows(const void *a, const void *b)
{
	const struct row *x = a, *y = b;
	int r = strcmp(x->name, y->name);

	if (r)
		return r;
	if (x->address != y->address)
		return x->address < y->address ? -1 : 1;
	/* Of the same function in two tables, the row that knows its version comes first. */
	return !x->version - !y->version;
}

static void release_row(struct row *row)
{
	free(row->name);
	free(row->linked);
	free(row->version);
	free(row->source);
}

/* Several names at one address are kept, one name there is kept once. */
static void merge_rows(struct reading *x)
{
	size_t to = 0;

	for (size_t i = 0; i < x->n; i++) {
		struct row *last = to ? &x->rows[to - 1] : NULL, *row = &x->rows[i];

		if (last && last->address == row->address && !strcmp(last->name, row->name)) {
			last->local &= row->local;
			if (!last->size)
				last->size = row->size;
			release_row(row);
		} else {
			x->rows[to++] = *row;
		}
	}
	x->n = to;
}

/* How --scope takes row I, which others may be called as. */
static char *spec_of(const struct reading *x, size_t i)
{
	const struct row *row = &x->rows[i];
	size_t first = i, end = i + 1, sources = 0, globals = 0, linked = 0;
	char *text;
	int r;

	while (first && !strcmp(x->rows[first - 1].name, row->name))
		first--;
	while (end < x->n && !strcmp(x->rows[end].name, row->name))
		end++;
	for (size_t k = first; k < end; k++) {
		const struct row *o = &x->rows[k];

		sources += row->source && o->source && !strcmp(row->source, o->source);
		globals += !o->local;
		linked += !strcmp(row->linked, o->linked);
	}
	if (end - first == 1)
		r = asprintf(&text, "%s", row->name);
	else if (linked == 1)
		r = asprintf(&text, "%s", row->linked);
	else if (row->version)
		r = asprintf(&text, "%s@%s%s", row->name, row->is_default ? "@" : "", row->version);
	else if (sources == 1)
		r = asprintf(&text, "%s@%s", row->name, row->source);
	else if (!row->local && globals == 1)
		r = asprintf(&text, "%s@global", row->name);
	else
		r = asprintf(&text, "%s@0x%" PRIx64, row->name, row->address);
	return r < 0 ? NULL : text;
}

/* NULL: it can be scoped. */
static const char *reason_of(const struct elf_file *f, const struct row *row, uint64_t size)
{
	const struct scope_extent body = {row->address, size};
	struct scope_code code;
	uint64_t address;
	unsigned skipped;
	bool loops;

	if (row->indirect)
		return "an IFUNC: it chooses the function that runs";
	if (scope_code_skip(f, &body, &skipped, &address))
		return "begins with a load that cannot be probed, in a loop";
	if (scope_code_init(&code, f, &body, 1))
		return "the file has no instructions of it";
	loops = code.loops;
	scope_code_release(&code);
	return loops ? "jumps back to its first instruction" : NULL;
}

static struct scope_listed *add_entry(struct reading *x)
{
	struct scope_list *list = x->list;

	if (list->n == x->list_room) {
		size_t room = x->list_room ? 2 * x->list_room : 64;
		struct scope_listed *grown = reallocarray(list->v, room, sizeof(*grown));

		if (!grown) {
			x->failed = true;
			return NULL;
		}
		list->v = grown;
		x->list_room = room;
	}
	list->v[list->n] = (struct scope_listed){0};
	return &list->v[list->n++];
}

/* What has no size is taken as one instruction: enough to see what it begins with. */
static void list_functions(struct reading *x, const struct elf_file *f)
{
	for (size_t i = 0; i < x->n && !x->failed; i++) {
		const struct row *row = &x->rows[i];
		const char *reason = reason_of(f, row, row->size ? row->size : 4);
		struct scope_listed *entry = add_entry(x);

		if (!entry)
			return;
		entry->name = spec_of(x, i);
		entry->linked = strdup(row->linked);
		entry->address = row->address;
		entry->size = row->size;
		entry->reason = reason ? strdup(reason) : NULL;
		x->failed |= !entry->name || !entry->linked || (reason && !entry->reason);
	}
}

/* Takes NAME over. */
static int add_named(struct reading *x, enum scope_listed_kind kind, char *name,
		     const struct scope_mark *mark)
{
	struct scope_listed *entry;

	x->failed |= !name;
	entry = name && x->wanted(name, x->context) ? add_entry(x) : NULL;
	if (entry)
		*entry = (struct scope_listed){.name = name,
					       .kind = kind,
					       .address = mark->address,
					       .guarded = mark->semaphore};
	else
		free(name);
	return x->failed ? -ENOMEM : 0;
}

/* The region that begins at the marker, as --scope takes it; NULL: none does. */
static char *region_of(struct reading *x, const struct scope_mark *mark)
{
	static const char edge[] = "__begin";
	size_t len = strlen(mark->name), n = sizeof(edge) - 1;
	char *name;

	if (!x->has_regions || strcmp(mark->provider, "abstat") != 0 || len <= n ||
	    strcmp(mark->name + len - n, edge) != 0)
		return NULL;
	if (asprintf(&name, "region:%.*s", (int)(len - n), mark->name) >= 0)
		return name;
	x->failed = true;
	return NULL;
}

static int add_marker(const struct scope_mark *mark, void *context)
{
	struct reading *x = context;
	char *name, *region = region_of(x, mark);

	if (asprintf(&name, "usdt:%s:%s", mark->provider, mark->name) < 0)
		name = NULL;
	int r = add_named(x, SCOPE_LISTED_MARKER, name, mark);

	return region ? add_named(x, SCOPE_LISTED_REGION, region, mark) : r;
}

static int compare_markers(const void *a, const void *b)
{
	const struct scope_listed *x = a, *y = b;

	if (x->kind != y->kind)
		return x->kind < y->kind ? -1 : 1;
	if (strcmp(x->name, y->name) != 0)
		return strcmp(x->name, y->name);
	return (x->address > y->address) - (x->address < y->address);
}

/* What is in several places is listed once. */
static void merge_markers(struct scope_list *list, size_t first)
{
	size_t to = first;

	qsort(list->v + first, list->n - first, sizeof(*list->v), compare_markers);
	for (size_t i = first; i < list->n; i++) {
		const struct scope_listed *last = to > first ? &list->v[to - 1] : NULL;

		if (last && last->kind == list->v[i].kind && !strcmp(last->name, list->v[i].name))
			free(list->v[i].name);
		else
			list->v[to++] = list->v[i];
	}
	list->n = to;
}

static bool has_regions(const struct elf_file *f)
{
	for (size_t i = 1; i < f->n_sections; i++)
		if (!strcmp(f->sections[i].name, "abstat_region_places"))
			return true;
	return false;
}

static int read_all(struct reading *x, const struct elf_file *f)
{
	struct elf_file *debug = NULL;
	char *path = NULL, *where = NULL;
	size_t first;
	int r;

	x->has_regions = has_regions(f);
	r = elf_functions_each(f, add_function, x);
	if (!r && !f->has_symbols) {
		debug = elf_debug_file_open(f, &path, &where);
		x->list->stripped = !debug;
		x->list->debug_file = debug ? path : where;
		if (debug) {
			free(where);
			r = elf_functions_each(debug, add_function, x);
		}
	}
	if (!r && x->n) {
		qsort(x->rows, x->n, sizeof(*x->rows), compare_rows);
		merge_rows(x);
		list_functions(x, f);
	}
	elf_file_free(debug);
	first = x->list->n;
	if (!r && !x->failed)
		r = scope_marks_each(f, add_marker, x);
	if (!r && x->list->n > first)
		merge_markers(x->list, first);
	return r;
}

int scope_list_read(struct scope_list *list, const char *path, scope_wanted_fn *wanted,
		    void *context, char *err, size_t err_size)
{
	const struct scope_search s = {.program = path, .err = err, .err_size = err_size};
	struct reading x = {.wanted = wanted, .context = context, .list = list};
	struct elf_file *f = NULL;
	int r;

	*list = (struct scope_list){0};
	r = scope_open_binary(&s, path, &f);
	if (r) {
		elf_file_free(f);
		return r;
	}
	r = read_all(&x, f);
	if (x.failed)
		r = -ENOMEM;
	if (r)
		scope_fail(&s, r, "%s: %s", path,
			   r == -ENOMEM    ? "out of memory"
			   : r == -EBADMSG ? "what it says of its USDT markers (.note.stapsdt) is "
					     "damaged"
					   : "its tables of symbols are damaged");
	for (size_t i = 0; i < x.n; i++)
		release_row(&x.rows[i]);
	free(x.rows);
	elf_file_free(f);
	if (r)
		scope_list_release(list);
	return r;
}

void scope_list_release(struct scope_list *list)
{
	for (size_t i = 0; i < list->n; i++) {
		free(list->v[i].name);
		free(list->v[i].linked);
		free(list->v[i].reason);
	}
	free(list->v);
	free(list->debug_file);
	*list = (struct scope_list){0};
}
