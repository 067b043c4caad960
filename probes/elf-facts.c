/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a file says of its making and of what it needs: build-id, compiler, flags, interpreter,
 * libraries. */
#include "elf-file.h"

#include <errno.h>
#include <gelf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A file may repeat the same flags for thousands of objects, or hold anything in their place. */
enum { MOST_TEXTS = 64, LONGEST_TEXT = 4000 };

static int add_text(char ***list, size_t *n, const char *text, size_t len)
{
	char **grown;

	if (!len || *n == MOST_TEXTS)
		return 0;
	if (len > LONGEST_TEXT)
		len = LONGEST_TEXT;
	for (size_t i = 0; i < *n; i++)
		if (strlen((*list)[i]) == len && !memcmp((*list)[i], text, len))
			return 0;
	grown = reallocarray(*list, *n + 1, sizeof(*grown));
	if (!grown)
		return -ENOMEM;
	*list = grown;
	grown[*n] = strndup(text, len);
	return grown[*n] ? ((*n)++, 0) : -ENOMEM;
}

/* The bytes of section I, whether it is loaded or not; NULL: none. */
static const char *bytes_of(const struct elf_file *f, size_t i, size_t *size)
{
	Elf_Data *data;

	if (f->sections[i].type == SHT_NOBITS || (f->sections[i].flags & SHF_COMPRESSED))
		return NULL;
	data = elf_rawdata(elf_getscn(f->elf, i), NULL);
	*size = data && data->d_buf ? data->d_size : 0;
	return *size ? data->d_buf : NULL;
}

static int read_build_id(struct elf_file *f, size_t i)
{
	Elf_Data *data = elf_getdata(elf_getscn(f->elf, i), NULL);
	size_t at = 0, name, desc;
	GElf_Nhdr note;

	while (data && !f->facts.build_id &&
	       (at = gelf_getnote(data, at, &note, &name, &desc)) > 0) {
		if (note.n_type != NT_GNU_BUILD_ID || note.n_namesz != 4 || note.n_descsz > 64 ||
		    !note.n_descsz || memcmp((char *)data->d_buf + name, "GNU", 4))
			continue;
		char *hex = malloc((size_t)note.n_descsz * 2 + 1);

		if (!hex)
			return -ENOMEM;
		for (size_t k = 0; k < note.n_descsz; k++)
			snprintf(hex + 2 * k, 3, "%02x", ((unsigned char *)data->d_buf)[desc + k]);
		f->facts.build_id = hex;
	}
	return 0;
}

static int read_needed(struct elf_file *f, size_t i)
{
	Elf_Scn *scn = elf_getscn(f->elf, i);
	Elf_Data *data = elf_getdata(scn, NULL);
	GElf_Shdr header;
	int r = 0;

	if (!data || !gelf_getshdr(scn, &header))
		return 0;
	size_t n = header.sh_size / gelf_fsize(f->elf, ELF_T_DYN, 1, EV_CURRENT);

	for (size_t k = 0; k < n && !r; k++) {
		GElf_Dyn dyn;

		if (!gelf_getdyn(data, (int)k, &dyn) || dyn.d_tag == DT_NULL)
			break;
		const char *name = dyn.d_tag == DT_NEEDED
				       ? elf_strptr(f->elf, header.sh_link, dyn.d_un.d_val)
				       : NULL;
		if (name)
			r = add_text(&f->facts.needed, &f->facts.n_needed, name, strlen(name));
	}
	return r;
}

/* NUL-separated texts: all of them, or those that begin with PREFIX. */
static int read_texts(const struct elf_file *f, size_t i, const char *prefix, char ***list,
		      size_t *n)
{
	size_t size = 0;
	const char *p = bytes_of(f, i, &size);
	int r = 0;

	for (size_t at = 0; p && at < size && !r;) {
		size_t len = strnlen(p + at, size - at);

		if (!prefix || (len > strlen(prefix) && !strncmp(p + at, prefix, strlen(prefix))))
			r = add_text(list, n, p + at, len);
		at += len + 1;
	}
	return r;
}

/* A text that is a section's whole contents, or is at its beginning. */
static int read_first_text(const struct elf_file *f, size_t i, char **text)
{
	size_t size = 0;
	const char *p = *text ? NULL : bytes_of(f, i, &size);

	if (!p)
		return 0;
	*text = strndup(p, size > LONGEST_TEXT ? LONGEST_TEXT : size);
	return *text ? 0 : -ENOMEM;
}

/* What leads to other files, and tells it from them. */
static int read_link(struct elf_file *f, size_t i)
{
	const struct elf_section *s = &f->sections[i];

	if (s->type == SHT_NOTE)
		return read_build_id(f, i);
	if (s->type == SHT_DYNAMIC)
		return read_needed(f, i);
	if (!strcmp(s->name, ".interp"))
		return read_first_text(f, i, &f->facts.interpreter);
	if (!strcmp(s->name, ".gnu_debuglink"))
		return read_first_text(f, i, &f->facts.debug_link);
	return 0;
}

static int read_making(struct elf_file *f, size_t i)
{
	struct elf_facts *facts = &f->facts;
	const struct elf_section *s = &f->sections[i];

	if (!strcmp(s->name, ".comment"))
		return read_texts(f, i, NULL, &facts->compilers, &facts->n_compilers);
	if (!strcmp(s->name, ".GCC.command.line"))
		return read_texts(f, i, NULL, &facts->flags, &facts->n_flags);
	/* What gcc and clang call DW_AT_producer: the compiler, its version and the options. */
	if (!strcmp(s->name, ".debug_str")) {
		int r = read_texts(f, i, "GNU C", &facts->flags, &facts->n_flags);

		return r ? r : read_texts(f, i, "clang version", &facts->flags, &facts->n_flags);
	}
	return 0;
}

int elf_file_read_links(struct elf_file *f)
{
	int r = 0;

	for (size_t i = 1; i < f->n_sections && !r; i++)
		r = read_link(f, i);
	return r;
}

int elf_file_read_facts(struct elf_file *f)
{
	int r = elf_file_read_links(f);

	for (size_t i = 1; i < f->n_sections && !r; i++)
		r = read_making(f, i);
	return r;
}

static void free_texts(char **list, size_t n)
{
	for (size_t i = 0; i < n; i++)
		free(list[i]);
	free(list);
}

void elf_facts_release(struct elf_facts *facts)
{
	free(facts->build_id);
	free(facts->interpreter);
	free(facts->debug_link);
	free_texts(facts->compilers, facts->n_compilers);
	free_texts(facts->flags, facts->n_flags);
	free_texts(facts->needed, facts->n_needed);
	*facts = (struct elf_facts){0};
}
