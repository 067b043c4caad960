/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads and prints what can be scoped in a binary. */
#include "scope-catalogue.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "catalogue.h"
#include "json-out.h"
#include "json-put.h"
#include "scope-breakpoint.h"
#include "scope-tracefs.h"
#include "text.h"
#include "version.h"

enum { WIDEST_NAME = 60 };

static bool is_wanted(const char *name, void *pattern)
{
	return !pattern || catalogue_name_matches(name, pattern);
}

/* Whether probes could be defined here, by opening where that is done. */
static int try_uprobes(void)
{
	int dir = tracefs_open();

	if (dir < 0)
		return -dir;
	int r = faccessat(dir, "uprobe_events", W_OK, 0) ? errno : 0;

	close(dir);
	return r == ENOENT ? ENODEV : r;
}

int scope_catalogue_read(struct scope_catalogue *c, const char *path, const char *pattern,
			 char *err, size_t err_size)
{
	*c = (struct scope_catalogue){.path = path, .uprobes = try_uprobes()};
	c->breakpoints = scope_breakpoints_free(&c->breakpoint_error);
	return scope_list_read(&c->list, path, is_wanted, (void *)pattern, err, err_size);
}

void scope_catalogue_release(struct scope_catalogue *c)
{
	scope_list_release(&c->list);
}

static const struct {
	const char *name, *title, *engine;
} kinds[] = {
    [SCOPE_LISTED_FUNCTION] = {"function", "functions (--scope FUNC)", "uprobe"},
    [SCOPE_LISTED_MARKER] = {"marker", "USDT markers (--scope usdt:PROVIDER:BEGIN..PROVIDER:END)",
			     "uprobe"},
    [SCOPE_LISTED_REGION] = {"region", "marked regions (--scope region:NAME)", "region"},
};

static const char *kind_of(const struct scope_listed *entry)
{
	return kinds[entry->kind].name;
}

/* Where probes are not to be had, breakpoints are taken by themselves. */
static bool by_breakpoints(const struct scope_catalogue *c)
{
	return c->uprobes && c->breakpoints;
}

/* NULL: it can be scoped. */
static const char *reason_of(const struct scope_catalogue *c, const struct scope_listed *entry)
{
	return entry->kind == SCOPE_LISTED_MARKER && entry->guarded && by_breakpoints(c)
		   ? "behind a semaphore: takes the kernel's probes"
		   : entry->reason;
}

static const char *engine_of(const struct scope_catalogue *c, const struct scope_listed *entry)
{
	if (reason_of(c, entry))
		return NULL;
	return entry->kind != SCOPE_LISTED_REGION && by_breakpoints(c) ? "breakpoint"
								       : kinds[entry->kind].engine;
}

static bool has_regions(const struct scope_catalogue *c)
{
	return c->list.n && c->list.v[c->list.n - 1].kind == SCOPE_LISTED_REGION;
}

static bool has_only_regions(const struct scope_catalogue *c)
{
	return has_regions(c) && c->list.v[0].kind == SCOPE_LISTED_REGION;
}

static void print_entry(const struct scope_catalogue *c, const struct scope_listed *entry,
			size_t width, unsigned flags, FILE *out)
{
	const char *engine = engine_of(c, entry), *reason = reason_of(c, entry);
	size_t len = strlen(entry->name);

	fputs("  ", out);
	text_put(out, entry->name, flags);
	fprintf(out, "%*s  %s", len < width ? (int)(width - len) : 0, "", engine ? engine : "no");
	if (reason)
		fprintf(out, "%s  %s", engine ? "" : "    ", reason);
	fputc('\n', out);
}

static void print_uprobes(const struct scope_catalogue *c, FILE *out)
{
	fputs("uprobe: the kernel stops the program there, which needs root or CAP_PERFMON and "
	      "tracefs; ",
	      out);
	if (!c->uprobes)
		fputs("this user may use it\n", out);
	else if (c->uprobes == ENODEV)
		fputs("this kernel has none (CONFIG_UPROBE_EVENTS)\n", out);
	else
		fprintf(out, "this user may not: %s\n", strerror(c->uprobes));
}

static void print_breakpoints(const struct scope_catalogue *c, FILE *out)
{
	fputs("breakpoint: the processor stops the program there, which takes no privileges; ",
	      out);
	if (c->breakpoints)
		fprintf(out,
			"of places where scopes begin and end there may be %zu in all, and other "
			"processes than the first are not followed: see abstat-scopes(7)\n",
			c->breakpoints);
	else
		fprintf(out, "there are none here: %s\n", strerror(c->breakpoint_error));
}

static void print_notes(const struct scope_catalogue *c, unsigned flags, FILE *out)
{
	fputc('\n', out);
	if (!has_only_regions(c))
		print_uprobes(c, out);
	if (!has_only_regions(c) && c->uprobes)
		print_breakpoints(c, out);
	if (has_regions(c))
		fputs("region: the program counts by itself, which takes no privileges\n", out);
	if (!c->list.stripped)
		return;
	fprintf(out,
		"The file is stripped: only what it exports is known. Its debugging symbols %s",
		c->list.debug_file ? "would be in " : "are in no file that it names");
	text_put(out, c->list.debug_file ? c->list.debug_file : "", flags);
	fputc('\n', out);
}

int scope_catalogue_print_text(const void *catalogue, const struct render_options *options,
			       FILE *out)
{
	const struct scope_catalogue *c = catalogue;
	unsigned flags = options->utf8 ? TEXT_UTF8 : 0;

	for (size_t first = 0, end; first < c->list.n; first = end) {
		size_t width = 0;

		for (end = first; end < c->list.n && c->list.v[end].kind == c->list.v[first].kind;
		     end++) {
			size_t len = strlen(c->list.v[end].name);

			if (len > width)
				width = len > WIDEST_NAME ? WIDEST_NAME : len;
		}
		fprintf(out, "%s%s:\n", first ? "\n" : "", kinds[c->list.v[first].kind].title);
		for (size_t i = first; i < end; i++)
			print_entry(c, &c->list.v[i], width, flags, out);
	}
	print_notes(c, flags, out);
	return render_finish(out);
}

/* ERROR: why it does not work, an errno; 0: it does. */
static void json_engine(struct json_out *o, const char *name, int error)
{
	json_out_open(o, '{');
	json_put_text(o, "name", name);
	json_put_bool(o, "works", !error);
	json_put_text(o, "reason", error ? strerror(error) : NULL);
	json_out_close(o, '}');
}

static void json_engines(struct json_out *o, const struct scope_catalogue *c)
{
	json_put_open(o, "engines", '[');
	json_engine(o, "uprobe", c->uprobes);
	json_engine(o, "breakpoint", c->breakpoints ? 0 : c->breakpoint_error);
	if (has_regions(c))
		json_engine(o, "region", 0);
	json_out_close(o, ']');
}

int scope_catalogue_print_json(const void *catalogue, const struct render_options *options,
			       FILE *out)
{
	const struct scope_catalogue *c = catalogue;
	struct json_out o;

	(void)options;
	json_out_init(&o);
	json_out_open(&o, '{');
	json_put_text(&o, "schema", "abstat-scopes/1");
	json_put_text(&o, "abstat", abstat_version);
	json_put_text(&o, "file", c->path);
	json_put_bool(&o, "stripped", c->list.stripped);
	json_put_text(&o, "debug_file", c->list.debug_file);
	json_engines(&o, c);
	json_put_open(&o, "scopes", '[');
	for (size_t i = 0; i < c->list.n; i++) {
		const struct scope_listed *entry = &c->list.v[i];

		json_out_next_line(&o);
		json_out_open(&o, '{');
		json_put_text(&o, "name", entry->name);
		json_put_text(&o, "kind", kind_of(entry));
		json_put_text(&o, "engine", engine_of(c, entry));
		json_put_text(&o, "reason", reason_of(c, entry));
		json_put_text(&o, "linked", entry->linked);
		json_put_count(&o, "address", entry->address);
		json_put_count(&o, "size", entry->size);
		json_out_close(&o, '}');
	}
	json_out_close(&o, ']');
	json_out_close(&o, '}');
	return render_document(&o, out);
}

int scope_catalogue_print_csv(const void *catalogue, const struct render_options *options,
			      FILE *out)
{
	static const char *const header[] = {"name",   "kind",    "engine", "reason",
					     "linked", "address", "size"};
	const struct scope_catalogue *c = catalogue;
	const size_t n = sizeof(header) / sizeof(header[0]);

	for (size_t i = 0; i < n; i++)
		catalogue_csv_field(out, header[i], options->separator, i + 1 == n);
	for (size_t i = 0; i < c->list.n; i++) {
		const struct scope_listed *e = &c->list.v[i];
		char address[32], size[32];
		const char *const fields[] = {
		    e->name, kind_of(e), engine_of(c, e), reason_of(c, e), e->linked,
		    address, size};

		snprintf(address, sizeof(address), "%" PRIu64, e->address);
		snprintf(size, sizeof(size), "%" PRIu64, e->size);
		for (size_t k = 0; k < n; k++)
			catalogue_csv_field(out, fields[k], options->separator, k + 1 == n);
	}
	return render_finish(out);
}
