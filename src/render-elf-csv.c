/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What differs between two binaries, as CSV: a row a number, with what it is of. */
#include "render-elf.h"

#include "csv-text.h"

#include <inttypes.h>

struct csv {
	FILE *out;
	char separator;
};

static void put_name(const struct csv *c, const char *text)
{
	csv_text(c->out, c->separator, text);
	fputc(c->separator, c->out);
}

/* A side that has none of it is empty. */
static void put_row(const struct csv *c, const char *kind, const char *name, const char *measure,
		    bool has_old, uint64_t old, bool has_new, uint64_t new)
{
	put_name(c, kind);
	put_name(c, name);
	put_name(c, measure);
	if (has_old)
		fprintf(c->out, "%" PRIu64, old);
	fputc(c->separator, c->out);
	if (has_new)
		fprintf(c->out, "%" PRIu64, new);
	fputc(c->separator, c->out);
	fprintf(c->out, "%s%" PRIu64 "\n", new < old ? "-" : "", new < old ? old - new : new - old);
}

static void put_both(const struct csv *c, const char *kind, const char *name, const char *measure,
		     uint64_t old, uint64_t new)
{
	put_row(c, kind, name, measure, true, old, true, new);
}

static void put_mix(const struct csv *c, const char *kind, const char *name,
		    const struct insn_mix mix[ELF_SIDES])
{
	put_both(c, kind, name, "instructions", mix[0].instructions, mix[1].instructions);
	for (size_t i = 0; i < INSN_CLASSES; i++)
		put_both(c, kind, name, insn_class_name(i), mix[0].of[i], mix[1].of[i]);
}

static void put_sizes(const struct csv *c, const struct elf_report *r)
{
	const struct elf_sizes *a = &r->sizes[ELF_OLD], *b = &r->sizes[ELF_NEW];

	put_both(c, "size", "text", "bytes", a->text, b->text);
	put_both(c, "size", "data", "bytes", a->data, b->data);
	put_both(c, "size", "bss", "bytes", a->bss, b->bss);
	put_both(c, "size", "total", "bytes", elf_sizes_total(a), elf_sizes_total(b));
	if (r->has_compressed)
		put_both(c, "size", "compressed", "bytes", r->compressed[0], r->compressed[1]);
}

int render_elf_csv(const void *what, const struct render_options *options, FILE *out)
{
	const struct elf_result *result = what;
	const struct elf_report *r = result->report;
	const struct csv c = {out, options->separator ? options->separator : ','};

	fprintf(out, "kind%cname%cmeasure%cold%cnew%cchange\n", c.separator, c.separator,
		c.separator, c.separator, c.separator);
	put_sizes(&c, r);
	for (size_t i = 0; i < r->n_sections; i++)
		put_row(&c, "section", r->sections[i].name, "bytes", r->sections[i].has[0],
			r->sections[i].size[0], r->sections[i].has[1], r->sections[i].size[1]);
	for (size_t i = 0; i < r->n_symbols; i++)
		put_row(&c, "symbol", r->symbols[i].name, "bytes", r->symbols[i].has[0],
			r->symbols[i].size[0], r->symbols[i].has[1], r->symbols[i].size[1]);
	for (size_t i = 0; i < r->n_functions; i++) {
		const struct elf_function_change *f = &r->functions[i];

		put_row(&c, "function", f->name, "bytes", f->has[0], f->size[0], f->has[1],
			f->size[1]);
		if (r->has_classes && !f->whole_section)
			put_mix(&c, "function", f->name, f->mix);
	}
	if (r->has_classes)
		put_mix(&c, "code", "", r->code.mix);
	return render_finish(out);
}
