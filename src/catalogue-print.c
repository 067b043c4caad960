/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Prints the catalogue: as a table a kind, as JSON, as CSV. */
#include "catalogue.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>

#include "csv-text.h"
#include "json-out.h"
#include "json-put.h"
#include "text.h"
#include "version.h"

enum { WIDEST_NAME = 46 };

/* One word for the column "here"; what it means stands below the table. */
static const char *mark(const struct catalogue_entry *entry)
{
	if (entry->counted_as)
		return strcmp(entry->counted_as, entry->name) && strstr(entry->counted_as, ":u")
			   ? "user"
			   : "yes";
	switch (entry->reason) {
	case EVENT_NO_PMU:
		return "no PMU";
	case EVENT_NOT_PERMITTED:
		return "denied";
	case EVENT_SYSTEM_WIDE_ONLY:
		return "-a";
	default:
		return "no";
	}
}

static const struct {
	const char *mark, *meaning;
} meanings[] = {
    {"user", "counts in user mode only: the kernel's part is not permitted; see "
	     "kernel.perf_event_paranoid in sysctl(8)"},
    {"denied", NULL},
    {"no PMU", NULL},
    {"-a", NULL},
    {"no", "not supported by this machine's counters"},
};

static size_t label_length(const struct catalogue_entry *entry)
{
	size_t len = strlen(entry->name);

	return entry->alias ? len + strlen(entry->alias) + strlen(", ") : len;
}

static void print_entry(const struct catalogue_entry *entry, size_t width, unsigned flags,
			FILE *out)
{
	size_t len = label_length(entry);

	fputs("  ", out);
	text_put(out, entry->name, flags);
	if (entry->alias) {
		fputs(", ", out);
		text_put(out, entry->alias, flags);
	}
	fprintf(out, "%*s  ", len < width ? (int)(width - len) : 0, "");
	fprintf(out, *entry->help || *entry->unit ? "%-6s  " : "%s", mark(entry));
	text_put(out, entry->help, flags);
	if (*entry->unit)
		fprintf(out, "%s[", *entry->help ? " " : "");
	text_put(out, entry->unit, flags);
	fputs(*entry->unit ? "]\n" : "\n", out);
}

static size_t kind_end(const struct catalogue *c, size_t first)
{
	size_t end = first;

	while (end < c->n && strcmp(c->entries[end].kind, c->entries[first].kind) == 0)
		end++;
	return end;
}

static void print_meanings(const struct catalogue *c, unsigned flags, FILE *out)
{
	const char *gap = "\n";

	for (size_t m = 0; m < sizeof(meanings) / sizeof(meanings[0]); m++) {
		for (size_t i = 0; i < c->n; i++) {
			const struct catalogue_entry *entry = &c->entries[i];

			if (strcmp(mark(entry), meanings[m].mark) != 0)
				continue;
			fprintf(out, "%s%s: ", gap, meanings[m].mark);
			text_put(out,
				 meanings[m].meaning ? meanings[m].meaning
						     : event_reason_text(entry->reason),
				 flags);
			fputc('\n', out);
			gap = "";
			break;
		}
	}
}

int catalogue_print_text(const void *catalogue, const struct render_options *options, FILE *out)
{
	const struct catalogue *c = catalogue;
	unsigned flags = options->utf8 ? TEXT_UTF8 : 0;

	for (size_t first = 0; first < c->n;) {
		size_t end = kind_end(c, first), width = 0;

		for (size_t i = first; i < end; i++) {
			size_t len = label_length(&c->entries[i]);

			if (len > width)
				width = len > WIDEST_NAME ? WIDEST_NAME : len;
		}
		fprintf(out, "%s%s:\n", first ? "\n" : "", c->entries[first].kind);
		for (; first < end; first++)
			print_entry(&c->entries[first], width, flags, out);
	}
	print_meanings(c, flags, out);
	return render_finish(out);
}

int catalogue_print_json(const void *catalogue, const struct render_options *options, FILE *out)
{
	const struct catalogue *c = catalogue;
	struct json_out o;

	(void)options;
	json_out_init(&o);
	json_out_open(&o, '{');
	json_put_text(&o, "schema", "abstat-list/1");
	json_put_text(&o, "abstat", abstat_version);
	json_put_open(&o, "events", '[');
	for (size_t i = 0; i < c->n; i++) {
		const struct catalogue_entry *entry = &c->entries[i];

		json_out_next_line(&o);
		json_out_open(&o, '{');
		json_put_text(&o, "name", entry->name);
		json_put_text(&o, "alias", entry->alias);
		json_put_text(&o, "kind", entry->kind);
		json_put_text(&o, "description", entry->help);
		json_put_text(&o, "unit", entry->unit);
		json_put_bool(&o, "counts", entry->counted_as);
		json_put_text(&o, "counted_as", entry->counted_as);
		json_put_text(&o, "reason", entry->reason_text);
		json_out_close(&o, '}');
	}
	json_out_close(&o, ']');
	json_out_close(&o, '}');
	return render_document(&o, out);
}

void catalogue_csv_field(FILE *out, const char *value, char separator, bool last)
{
	csv_text(out, separator, value);
	fputc(last ? '\n' : separator, out);
}

int catalogue_print_csv(const void *catalogue, const struct render_options *options, FILE *out)
{
	static const char *const header[] = {"name",       "alias",  "kind", "counts",
					     "counted_as", "reason", "unit", "description"};
	const struct catalogue *c = catalogue;
	const size_t n = sizeof(header) / sizeof(header[0]);

	for (size_t i = 0; i < n; i++)
		catalogue_csv_field(out, header[i], options->separator, i + 1 == n);
	for (size_t i = 0; i < c->n; i++) {
		const struct catalogue_entry *e = &c->entries[i];
		const char *const fields[] = {
		    e->name,       e->alias,       e->kind, e->counted_as ? "1" : "0",
		    e->counted_as, e->reason_text, e->unit, e->help};

		for (size_t k = 0; k < n; k++)
			catalogue_csv_field(out, fields[k], options->separator, k + 1 == n);
	}
	return render_finish(out);
}
