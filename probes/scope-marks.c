/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads USDT markers. A note has three addresses (the marker, .stapsdt.base as it was when the
 * file was linked, the semaphore), then three texts (provider, name, arguments). Where a tool like
 * prelink moved the file since, .stapsdt.base moved too, which tells by how much.
 */
#include "scope-marks.h"

#include <errno.h>
#include <gelf.h>
#include <string.h>

#define NOTE_TYPE 3
#define NOTE_ALIGNMENT 4

static uint64_t base_address(const struct elf_file *f)
{
	for (size_t i = 1; i < f->n_sections; i++)
		if (!strcmp(f->sections[i].name, ".stapsdt.base"))
			return f->sections[i].address;
	return 0;
}

/* The text at *AT, which moves behind it; NULL: it has no end. */
static const char *take_text(const char *p, size_t size, size_t *at)
{
	const char *text = p + *at;
	size_t n = *at < size ? strnlen(text, size - *at) : 0;

	if (*at + n >= size)
		return NULL;
	*at += n + 1;
	return text;
}

/* False: the note ends too early. A name may be empty. */
static bool read_mark(const struct elf_file *f, const char *p, size_t size, uint64_t base,
		      struct scope_mark *mark)
{
	unsigned width = f->bits / 8;
	size_t at = (size_t)3 * width;
	const uint8_t *numbers = (const uint8_t *)p;

	if (size < at)
		return false;
	uint64_t moved = base ? base - elf_number(f, numbers + width, width) : 0;

	mark->address = elf_number(f, numbers, width) + moved;
	mark->semaphore = elf_number(f, numbers + (size_t)2 * width, width);
	if (mark->semaphore)
		mark->semaphore += moved;
	mark->provider = take_text(p, size, &at);
	mark->name = mark->provider ? take_text(p, size, &at) : NULL;
	return mark->name;
}

static int read_notes(const struct elf_file *f, size_t section, scope_mark_fn *each, void *context)
{
	Elf_Data *data = elf_getdata(elf_getscn(f->elf, section), NULL);
	uint64_t base = base_address(f);
	size_t at = 0, last = 0, name, desc;
	GElf_Nhdr note;
	int r = 0;

	while (data && !r && (at = gelf_getnote(data, at, &note, &name, &desc)) > 0) {
		const char *p = data->d_buf;
		struct scope_mark mark;

		last = at;
		if (note.n_type != NOTE_TYPE || note.n_namesz != 8 ||
		    memcmp(p + name, "stapsdt", 8) != 0)
			continue;
		if (!read_mark(f, p + desc, note.n_descsz, base, &mark))
			return -EBADMSG;
		if (*mark.provider && *mark.name)
			r = each(&mark, context);
	}
	/* Nothing but padding may be left. */
	return r ? r : !data || data->d_size - last >= NOTE_ALIGNMENT ? -EBADMSG : 0;
}

int scope_marks_each(const struct elf_file *f, scope_mark_fn *each, void *context)
{
	int r = 0;

	for (size_t i = 1; i < f->n_sections && !r; i++)
		if (f->sections[i].type == SHT_NOTE &&
		    !strcmp(f->sections[i].name, ".note.stapsdt"))
			r = read_notes(f, i, each, context);
	return r;
}
