/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What differs between two binaries, laid out: how they were made, functions, their alignment, a
 * listing. */
#include "elf-page.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "demangle.h"
#include "elf-sentence.h"
#include "format.h"

enum { ROWS_SHOWN = 20 };

static const char *type_word(const struct elf_file *f)
{
	switch (f->type) {
	case ET_REL:
		return "relocatable object";
	case ET_EXEC:
		return "executable";
	case ET_DYN:
		return f->facts.interpreter ? "position-independent executable" : "shared object";
	default:
		return "ELF file";
	}
}

static void lay_fact(struct elf_page *page, const char *name, const char *old, const char *new,
		     bool always)
{
	if (!old && !new)
		return;
	if (!always && old && new && !strcmp(old, new))
		return;
	elf_page_cell(page, "%s", name);
	elf_page_cell(page, "%s", old ? old : "-");
	elf_page_cell(page, "%s", new ? new : "-");
}

static bool has_text(char *const *list, size_t n, const char *text)
{
	for (size_t i = 0; i < n; i++)
		if (!strcmp(list[i], text))
			return true;
	return false;
}

/* Those that only one side has, a row each. */
static void lay_texts(struct elf_page *page, const char *name, char *const *old, size_t n,
		      char *const *new, size_t m)
{
	for (size_t i = 0; i < n; i++)
		if (!has_text(new, m, old[i]))
			lay_fact(page, name, old[i], NULL, true);
	for (size_t i = 0; i < m; i++)
		if (!has_text(old, n, new[i]))
			lay_fact(page, name, NULL, new[i], true);
}

void elf_page_facts(struct elf_page *page, const struct elf_report *r)
{
	const struct elf_file *f = r->file[ELF_OLD], *g = r->file[ELF_NEW];
	const struct elf_facts *a = &f->facts, *b = &g->facts;
	const char *machine = elf_machine_name(f->machine),
		   *new_machine = elf_machine_name(g->machine);
	struct elf_table *t = elf_page_table(page, 3, "Files");

	t->name[0] = t->name[1] = t->name[2] = true;
	elf_page_cell(page, "%s", "");
	elf_page_cell(page, "OLD");
	elf_page_cell(page, "NEW");
	lay_fact(page, "file", f->path, g->path, true);
	lay_fact(page, "type", type_word(f), type_word(g), true);
	elf_page_cell(page, "machine");
	elf_page_cell(page, "%s, %u bit%s", machine ? machine : "unknown", f->bits,
		      f->big_endian ? ", big-endian" : "");
	elf_page_cell(page, "%s, %u bit%s", new_machine ? new_machine : "unknown", g->bits,
		      g->big_endian ? ", big-endian" : "");
	lay_fact(page, "build-id", a->build_id, b->build_id, false);
	lay_fact(page, "interpreter", a->interpreter, b->interpreter, false);
	lay_texts(page, "compiler", a->compilers, a->n_compilers, b->compilers, b->n_compilers);
	lay_texts(page, "flags", a->flags, a->n_flags, b->flags, b->n_flags);
	lay_texts(page, "needs", a->needed, a->n_needed, b->needed, b->n_needed);
	for (size_t side = 0; side < ELF_SIDES; side++)
		if (r->stripped[side])
			elf_page_note(page,
				      "%s is stripped and the other file is not: only what the "
				      "dynamic linker needs has "
				      "a name in both",
				      r->file[side]->path);
	if (!r->has_functions && !r->same_image)
		elf_page_note(
		    page, "there are no symbols of functions: sections of code are compared whole");
}

static void lay_function(struct elf_page *page, const struct elf_function_change *c,
			 bool has_classes)
{
	elf_page_name(page, c->name, c->whole_section ? ", outside of functions" : "");
	for (size_t side = 0; side < ELF_SIDES; side++) {
		if (has_classes && !c->whole_section)
			elf_page_count(page, c->mix[side].instructions);
		else
			elf_page_cell(page, "-");
	}
	for (size_t side = 0; side < ELF_SIDES; side++) {
		if (c->has[side])
			elf_page_count(page, c->size[side]);
		else
			elf_page_cell(page, "-");
	}
	char *mix = elf_mix_sentence(&c->mix[ELF_OLD], &c->mix[ELF_NEW]);
	bool counted = has_classes && !c->whole_section;

	elf_page_cell(page, "%s", !mix || !counted ? "" : *mix ? mix : "the same mix");
	free(mix);
}

static void lay_functions(struct elf_page *page, const struct elf_result *result)
{
	static const char *const heads[] = {"function",  "instr. OLD", "NEW",
					    "bytes OLD", "NEW",        "change"};
	const struct elf_report *r = result->report;
	char changed[FORMAT_SIZE], compared[FORMAT_SIZE];
	struct elf_table *t;

	if (!r->n_functions)
		return;
	t = elf_page_table(page, 6, "Functions whose instructions changed: %s of %s",
			   format_count(changed, sizeof(changed), r->code.changed),
			   format_count(compared, sizeof(compared), r->code.compared));
	t->name[0] = t->name[5] = true;
	for (size_t i = 0; i < t->n_columns; i++)
		elf_page_cell(page, "%s", heads[i]);
	for (size_t i = 0; i < r->n_functions; i++) {
		if (result->all || i < ROWS_SHOWN)
			lay_function(page, &r->functions[i], r->has_classes);
		else
			t->left_out++;
	}
}

static void lay_mix_row(struct elf_page *page, const char *name, uint64_t old, uint64_t new)
{
	elf_page_cell(page, "%s", name);
	elf_page_count(page, old);
	elf_page_count(page, new);
	elf_page_change(page, old, new);
}

static void lay_mix(struct elf_page *page, const struct elf_report *r)
{
	const struct insn_mix *a = &r->code.mix[ELF_OLD], *b = &r->code.mix[ELF_NEW];
	struct elf_table *t;

	if (!r->has_classes || (!r->code.changed && !r->code.added && !r->code.removed))
		return;
	t = elf_page_table(page, 4, "Instructions in what changed, came or went");
	t->name[0] = true;
	elf_page_cell(page, "class");
	elf_page_cell(page, "OLD");
	elf_page_cell(page, "NEW");
	elf_page_cell(page, "change");
	lay_mix_row(page, "all", a->instructions, b->instructions);
	for (size_t i = 0; i < INSN_CLASSES; i++)
		lay_mix_row(page, insn_class_name(i), a->of[i], b->of[i]);
}

static void lay_alignments(struct elf_page *page, const struct elf_result *result)
{
	static const char *const heads[] = {"function", "at mod 64 OLD", "NEW",   "loops",
					    "mod 16",   "mod 32",        "mod 64"};
	const struct elf_report *r = result->report;
	struct elf_table *t;

	if (!r->n_alignments)
		return;
	t = elf_page_table(page, 7,
			   "Alignment: the remainder of the address by 16, 32, 64 changed for %zu, "
			   "%zu, %zu functions and "
			   "%zu, %zu, %zu targets of backward branches",
			   r->functions_moved[0], r->functions_moved[1], r->functions_moved[2],
			   r->loops_moved[0], r->loops_moved[1], r->loops_moved[2]);
	t->name[0] = true;
	for (size_t i = 0; i < t->n_columns; i++)
		elf_page_cell(page, "%s", heads[i]);
	for (size_t i = 0; i < r->n_alignments; i++) {
		const struct elf_alignment *a = &r->alignments[i];

		/* Where everything moved, the counts say it all. */
		if (!result->all && i >= ROWS_SHOWN / 2) {
			t->left_out++;
			continue;
		}
		elf_page_name(page, a->name, "");
		elf_page_count(page, a->address[ELF_OLD] % 64);
		elf_page_count(page, a->address[ELF_NEW] % 64);
		elf_page_count(page, a->loops);
		for (size_t k = 0; k < ELF_MODULI; k++)
			elf_page_count(page, a->loops_changed[k]);
	}
}

static void lay_listing(struct elf_page *page, const struct elf_listing *l)
{
	char *readable = demangle(l->name, strlen(l->name));
	struct elf_table *t = elf_page_table(page, 5, "%s", readable ? readable : l->name);

	free(readable);
	t->beside = true;
	t->name[1] = t->name[2] = t->name[4] = true;
	elf_page_cell(page, "%s", "");
	elf_page_cell(page, "OLD");
	elf_page_cell(page, "%s", "");
	elf_page_cell(page, "%s", "");
	elf_page_cell(page, "NEW");
	for (size_t i = 0; i < l->n; i++) {
		const struct elf_listing_row *row = &l->rows[i];

		for (size_t side = 0; side < ELF_SIDES; side++) {
			if (side == ELF_NEW)
				elf_page_cell(page, "%s",
					      row->same      ? ""
					      : !row->has[0] ? ">"
					      : !row->has[1] ? "<"
							     : "|");
			if (row->has[side])
				elf_page_cell(page, "%" PRIx64, row->offset[side]);
			else
				elf_page_cell(page, "%s", "");
			elf_page_cell(page, "%s", row->text[side]);
		}
	}
}

void elf_page_code(struct elf_page *page, const struct elf_result *result)
{
	lay_functions(page, result);
	lay_mix(page, result->report);
	lay_alignments(page, result);
	if (result->listing)
		lay_listing(page, result->listing);
}
