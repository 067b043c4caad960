/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What differs between two binaries, in one sentence. */
#include "elf-sentence.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "demangle.h"
#include "format.h"

static void put_change(FILE *out, bool *any, uint64_t old, uint64_t new, const char *one,
		       const char *many)
{
	uint64_t n = new > old ? new - old : old - new;
	char buf[FORMAT_SIZE];

	if (old == new)
		return;
	fprintf(out, "%s%s%s %s", *any ? ", " : "", new > old ? "+" : "−",
		format_count(buf, sizeof(buf), n), n == 1 ? one : many);
	*any = true;
}

char *elf_mix_sentence(const struct insn_mix *old, const struct insn_mix *new)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);
	bool any = false;

	if (!out)
		return NULL;
	put_change(out, &any, old->instructions, new->instructions, "instruction", "instructions");
	for (size_t i = 0; i < INSN_CLASSES; i++)
		put_change(out, &any, old->of[i], new->of[i], insn_class_one(i),
			   insn_class_name(i));
	if (fclose(out)) {
		free(text);
		return NULL;
	}
	return text;
}

/* As in the source, without parameters. */
static void put_name(FILE *out, const char *name)
{
	char *readable = demangle(name, strlen(name));

	if (readable)
		fprintf(out, " (%.*s)", (int)demangled_base(readable), readable);
	else
		fprintf(out, " (%s)", name);
	free(readable);
}

static void put_parts(FILE *out, const struct elf_report *r)
{
	const struct elf_code_totals *c = &r->code;
	char buf[FORMAT_SIZE];

	if (!c->compared && !c->added && !c->removed) {
		fputs("The code differs; in which functions is not known: none has a symbol.", out);
		return;
	}
	fputs(c->changed ? format_count(buf, sizeof(buf), c->changed) : "None", out);
	fprintf(out, " of %s function%s ha%s other instructions",
		format_count(buf, sizeof(buf), c->compared),
		c->compared == 1 && c->changed ? "" : "s", c->changed > 1 ? "ve" : "s");
	if (c->changed == 1 && r->n_functions == 1)
		put_name(out, r->functions[0].name);
	if (c->added)
		fprintf(out, ", %s new", format_count(buf, sizeof(buf), c->added));
	if (c->removed)
		fprintf(out, ", %s gone", format_count(buf, sizeof(buf), c->removed));
	if (c->outside_changed)
		fputs(", code outside of all functions differs", out);
	char *mix = elf_mix_sentence(&c->mix[ELF_OLD], &c->mix[ELF_NEW]);

	if (mix && *mix)
		fprintf(out, ": %s", mix);
	free(mix);
	fputc('.', out);
}

static bool has_changes(const struct elf_code_totals *c)
{
	return c->changed || c->added || c->removed || c->outside_changed;
}

static bool data_differs(const struct elf_report *r)
{
	for (size_t i = 0; i < r->n_symbols; i++)
		if (!r->symbols[i].code)
			return true;
	return r->sizes[0].data != r->sizes[1].data || r->sizes[0].bss != r->sizes[1].bss;
}

static void put_sentence(FILE *out, const struct elf_report *r)
{
	const struct elf_file *a = r->file[ELF_OLD], *b = r->file[ELF_NEW];
	char buf[FORMAT_SIZE];

	if (a->machine != b->machine || a->bits != b->bits || a->big_endian != b->big_endian) {
		fputs("They are for different machines: only sizes and names can be compared.",
		      out);
	} else if (r->same_image && r->code_same) {
		fputs("The same: all that is loaded is equal, byte for byte.", out);
	} else if (r->same_image) {
		fputs("All that is loaded is equal, byte for byte, but names have changed places: ",
		      out);
		put_parts(out, r);
	} else if (r->code_unclear && !has_changes(&r->code)) {
		fprintf(out, "Whether the code is the same is not known: instructions of this "
			     "machine are not understood, and what they refer to may have moved");
		if (r->code.compared)
			fprintf(out, "; none of %s functions has other bytes",
				format_count(buf, sizeof(buf), r->code.compared));
		fputc('.', out);
	} else if (r->code_same) {
		fputs("The code is the same", out);
		if (r->code.compared)
			fprintf(out, ": none of %s functions has other instructions",
				format_count(buf, sizeof(buf), r->code.compared));
		if (!r->differ)
			fputs(", and nothing else differs that is loaded.", out);
		else if (data_differs(r))
			fputs("; the data differ.", out);
		else
			fputs("; what differs is where things are, or what constants and tables "
			      "hold.",
			      out);
	} else {
		put_parts(out, r);
	}
}

char *elf_sentence(const struct elf_report *r)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	if (!out)
		return NULL;
	put_sentence(out, r);
	if (fclose(out)) {
		free(text);
		return NULL;
	}
	return text;
}
