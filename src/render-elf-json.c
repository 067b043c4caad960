/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What differs between two binaries, as JSON: schema abstat-elf/1. */
#include "render-elf.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "demangle.h"
#include "elf-sentence.h"
#include "json-put.h"
#include "version.h"

/* {"old": N, "new": N}: a side that has none is null. */
static void put_pair(struct json_out *o, const char *key, const uint64_t value[ELF_SIDES],
		     const bool has[ELF_SIDES])
{
	static const char *const names[] = {"old", "new"};

	json_put_open(o, key, '{');
	for (size_t side = 0; side < ELF_SIDES; side++) {
		json_out_key(o, names[side]);
		if (!has || has[side])
			json_out_u64(o, value[side]);
		else
			json_out_null(o);
	}
	json_out_close(o, '}');
}

static void put_both(struct json_out *o, const char *key, uint64_t old, uint64_t new)
{
	put_pair(o, key, (const uint64_t[]){old, new}, NULL);
}

static void put_texts(struct json_out *o, const char *key, char *const *list, size_t n)
{
	json_put_open(o, key, '[');
	for (size_t i = 0; i < n; i++)
		json_out_string(o, list[i]);
	json_out_close(o, ']');
}

static const char *type_token(uint16_t type)
{
	switch (type) {
	case ET_REL:
		return "relocatable";
	case ET_EXEC:
		return "executable";
	case ET_DYN:
		return "dynamic";
	default:
		return NULL;
	}
}

static void put_file(struct json_out *o, const struct elf_file *f)
{
	json_out_next_line(o);
	json_out_open(o, '{');
	json_put_text(o, "path", f->path);
	json_put_count(o, "bytes", f->file_size);
	json_put_text(o, "machine", elf_machine_name(f->machine));
	json_put_count(o, "machine_number", f->machine);
	json_put_count(o, "bits", f->bits);
	json_put_text(o, "byte_order", f->big_endian ? "big" : "little");
	json_put_text(o, "type", type_token(f->type));
	json_put_text(o, "symbols", f->has_symbols ? "full" : f->n_symbols ? "dynamic" : "none");
	json_put_text(o, "build_id", f->facts.build_id);
	json_put_text(o, "interpreter", f->facts.interpreter);
	put_texts(o, "compilers", f->facts.compilers, f->facts.n_compilers);
	put_texts(o, "flags", f->facts.flags, f->facts.n_flags);
	put_texts(o, "needed", f->facts.needed, f->facts.n_needed);
	json_out_close(o, '}');
}

static void put_sizes(struct json_out *o, const struct elf_report *r)
{
	const struct elf_sizes *a = &r->sizes[ELF_OLD], *b = &r->sizes[ELF_NEW];

	json_put_open(o, "sizes", '{');
	put_both(o, "text", a->text, b->text);
	put_both(o, "data", a->data, b->data);
	put_both(o, "bss", a->bss, b->bss);
	put_both(o, "total", elf_sizes_total(a), elf_sizes_total(b));
	if (r->has_compressed)
		put_both(o, "compressed", r->compressed[ELF_OLD], r->compressed[ELF_NEW]);
	json_out_close(o, '}');
}

static void put_sections(struct json_out *o, const struct elf_report *r)
{
	json_put_open(o, "sections", '[');
	for (size_t i = 0; i < r->n_sections; i++) {
		const struct elf_section_change *c = &r->sections[i];

		json_out_next_line(o);
		json_out_open(o, '{');
		json_put_text(o, "name", c->name);
		json_put_bool(o, "loaded", c->loaded);
		put_pair(o, "size", c->size, c->has);
		put_pair(o, "in_symbols", c->in_symbols, c->has);
		json_put_bool(o, "same_size_other_contents", c->contents);
		json_out_close(o, '}');
	}
	json_out_close(o, ']');
}

/* KEY is the name as linkers know it; "demangled" is null where it is no other one. */
static void put_names(struct json_out *o, const char *key, const char *name)
{
	char *readable = demangle(name, strlen(name));

	json_put_text(o, key, name);
	json_put_text(o, "demangled", readable);
	free(readable);
}

static void put_symbols(struct json_out *o, const struct elf_report *r)
{
	const struct elf_symbol_totals *t = &r->symbol_totals;

	json_put_open(o, "symbols", '{');
	json_put_count(o, "grown", t->grown);
	json_put_count(o, "grown_bytes", t->grown_bytes);
	json_put_count(o, "shrunk", t->shrunk);
	json_put_count(o, "shrunk_bytes", t->shrunk_bytes);
	json_put_count(o, "new", t->added);
	json_put_count(o, "new_bytes", t->added_bytes);
	json_put_count(o, "gone", t->removed);
	json_put_count(o, "gone_bytes", t->removed_bytes);
	put_pair(o, "bytes", t->bytes, NULL);
	put_pair(o, "outside_bytes", t->outside, NULL);
	json_put_open(o, "changes", '[');
	for (size_t i = 0; i < r->n_symbols; i++) {
		const struct elf_symbol_change *c = &r->symbols[i];

		json_out_next_line(o);
		json_out_open(o, '{');
		put_names(o, "name", c->name);
		json_put_text(o, "section", c->section);
		json_put_bool(o, "code", c->code);
		put_pair(o, "size", c->size, c->has);
		json_out_close(o, '}');
	}
	json_out_close(o, ']');
	json_out_close(o, '}');
}

static void put_mix(struct json_out *o, const struct insn_mix mix[ELF_SIDES])
{
	put_both(o, "instructions", mix[ELF_OLD].instructions, mix[ELF_NEW].instructions);
	for (size_t i = 0; i < INSN_CLASSES; i++)
		put_both(o, insn_class_name(i), mix[ELF_OLD].of[i], mix[ELF_NEW].of[i]);
}

static void put_function(struct json_out *o, const struct elf_report *r,
			 const struct elf_function_change *c)
{
	json_out_next_line(o);
	json_out_open(o, '{');
	put_names(o, "name", c->name);
	json_put_bool(o, "outside_functions", c->whole_section);
	put_pair(o, "address", c->address, c->has);
	put_pair(o, "bytes", c->size, c->has);
	if (r->has_classes && !c->whole_section)
		put_mix(o, c->mix);
	json_out_close(o, '}');
}

static void put_code(struct json_out *o, const struct elf_report *r)
{
	const struct elf_code_totals *c = &r->code;

	json_put_open(o, "code", '{');
	json_out_key(o, "same");
	if (r->code_unclear && !r->n_functions && !c->added && !c->removed)
		json_out_null(o);
	else
		json_out_bool(o, r->code_same);
	json_put_count(o, "functions_compared", c->compared);
	json_put_count(o, "functions_changed", c->changed);
	json_put_count(o, "functions_new", c->added);
	json_put_count(o, "functions_gone", c->removed);
	json_put_bool(o, "outside_functions_changed", c->outside_changed);
	json_put_open(o, "mix", '{');
	if (r->has_classes)
		put_mix(o, c->mix);
	json_out_close(o, '}');
	json_put_open(o, "functions", '[');
	for (size_t i = 0; i < r->n_functions; i++)
		put_function(o, r, &r->functions[i]);
	json_out_close(o, ']');
	json_out_close(o, '}');
}

static void put_moduli(struct json_out *o, const char *key, const size_t n[ELF_MODULI])
{
	json_put_open(o, key, '{');
	json_put_count(o, "16", n[0]);
	json_put_count(o, "32", n[1]);
	json_put_count(o, "64", n[2]);
	json_out_close(o, '}');
}

static void put_alignment(struct json_out *o, const struct elf_report *r)
{
	json_put_open(o, "alignment", '{');
	put_moduli(o, "functions_changed", r->functions_moved);
	put_moduli(o, "backward_branch_targets_changed", r->loops_moved);
	json_put_open(o, "functions", '[');
	for (size_t i = 0; i < r->n_alignments; i++) {
		const struct elf_alignment *a = &r->alignments[i];

		json_out_next_line(o);
		json_out_open(o, '{');
		put_names(o, "name", a->name);
		put_both(o, "address_mod_64", a->address[ELF_OLD] % 64, a->address[ELF_NEW] % 64);
		json_put_count(o, "backward_branch_targets", a->loops);
		put_moduli(o, "backward_branch_targets_changed", a->loops_changed);
		json_out_close(o, '}');
	}
	json_out_close(o, ']');
	json_out_close(o, '}');
}

void json_out_elf(struct json_out *o, const struct elf_report *r)
{
	char *sentence = elf_sentence(r);

	json_put_text(o, "sentence", sentence);
	free(sentence);
	json_put_bool(o, "differ", r->differ);
	json_put_bool(o, "same_image", r->same_image);
	json_put_open(o, "files", '[');
	put_file(o, r->file[ELF_OLD]);
	put_file(o, r->file[ELF_NEW]);
	json_out_close(o, ']');
	json_out_next_line(o);
	put_sizes(o, r);
	json_out_next_line(o);
	put_sections(o, r);
	json_out_next_line(o);
	put_symbols(o, r);
	json_out_next_line(o);
	put_code(o, r);
	json_out_next_line(o);
	put_alignment(o, r);
}

static void put_listing(struct json_out *o, const struct elf_listing *l)
{
	static const char *const names[] = {"old", "new"};

	json_put_open(o, "listing", '{');
	put_names(o, "function", l->name);
	json_put_open(o, "rows", '[');
	for (size_t i = 0; i < l->n; i++) {
		json_out_next_line(o);
		json_out_open(o, '{');
		json_put_bool(o, "same", l->rows[i].same);
		for (size_t side = 0; side < ELF_SIDES; side++)
			json_put_text(o, names[side],
				      l->rows[i].has[side] ? l->rows[i].text[side] : NULL);
		json_out_close(o, '}');
	}
	json_out_close(o, ']');
	json_out_close(o, '}');
}

int render_elf_json(const void *what, const struct render_options *options, FILE *out)
{
	const struct elf_result *result = what;
	struct json_out o;

	(void)options;
	json_out_init(&o);
	json_out_open(&o, '{');
	json_put_text(&o, "schema", "abstat-elf/1");
	json_put_text(&o, "abstat", abstat_version);
	json_put_count(&o, "status", (uint64_t)result->status);
	json_out_elf(&o, result->report);
	if (result->listing) {
		json_out_next_line(&o);
		put_listing(&o, result->listing);
	}
	json_out_close(&o, '}');
	return render_document(&o, out);
}
