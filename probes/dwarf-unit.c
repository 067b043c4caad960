/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads units and entries of debugging information. */
#include "dwarf-unit.h"

#include <errno.h>
#include <gelf.h>
#include <stdlib.h>
#include <string.h>

/* The names of the standard that are needed; forms are in their table. */
enum {
	AT_NAME = 0x03,
	AT_LOW_PC = 0x11,
	AT_INLINE = 0x20,
	AT_ABSTRACT_ORIGIN = 0x31,
	AT_DECLARATION = 0x3c,
	AT_SPECIFICATION = 0x47,
	AT_RANGES = 0x55,
	AT_LINKAGE_NAME = 0x6e,
	AT_STR_OFFSETS_BASE = 0x72,
	AT_MIPS_LINKAGE_NAME = 0x2007,
	UNIT_COMPILE = 1,
	UNIT_PARTIAL = 3
};

/* Codes are small numbers, given one after the other; a file with others is not a compiler's. */
enum { HIGHEST_CODE = 1 << 20, LARGEST_SECTION = 1 << 30 };

struct cursor {
	const uint8_t *p;
	size_t at, end;
	bool big_endian, bad;
};

static uint64_t fixed(struct cursor *c, unsigned size)
{
	uint64_t n = 0;

	if (size > c->end - c->at) {
		c->bad = true;
		c->at = c->end;
		return 0;
	}
	for (unsigned i = 0; i < size; i++)
		n = n << 8 | c->p[c->at + (c->big_endian ? i : size - 1 - i)];
	c->at += size;
	return n;
}

static uint64_t uleb(struct cursor *c)
{
	uint64_t n = 0;

	for (unsigned shift = 0; c->at < c->end; shift += 7) {
		uint8_t b = c->p[c->at++];

		if (shift < 64)
			n |= (uint64_t)(b & 0x7f) << shift;
		if (!(b & 0x80))
			return n;
	}
	c->bad = true;
	return 0;
}

static void skip(struct cursor *c, uint64_t n)
{
	if (n > c->end - c->at) {
		c->bad = true;
		n = c->end - c->at;
	}
	c->at += n;
}

static const char *text_at(const struct dwarf_bytes *b, uint64_t at)
{
	return at < b->n && memchr(b->p + at, '\0', b->n - at) ? (const char *)b->p + at : NULL;
}

/* What is compressed is not held twice: the reader of the file keeps it. */
static struct dwarf_bytes section(const struct elf_file *f, const char *name)
{
	for (size_t i = 1; i < f->n_sections; i++) {
		Elf_Scn *scn = strcmp(f->sections[i].name, name) ? NULL : elf_getscn(f->elf, i);
		GElf_Chdr header;

		if (!scn || f->sections[i].type == SHT_NOBITS)
			continue;
		if (f->sections[i].flags & SHF_COMPRESSED) {
			if (!gelf_getchdr(scn, &header) || header.ch_size > LARGEST_SECTION)
				continue;
			(void)elf_compress(scn, 0, 0);
		}
		Elf_Data *data = elf_rawdata(scn, NULL);

		if (data && data->d_buf)
			return (struct dwarf_bytes){data->d_buf, data->d_size};
	}
	return (struct dwarf_bytes){0};
}

int dwarf_init(struct dwarf *d, const struct elf_file *f)
{
	*d = (struct dwarf){
	    .file = f,
	    .info = section(f, ".debug_info"),
	    .abbrev = section(f, ".debug_abbrev"),
	    .str = section(f, ".debug_str"),
	    .line_str = section(f, ".debug_line_str"),
	    .str_offsets = section(f, ".debug_str_offsets"),
	};
	return d->info.n && d->abbrev.n ? 0 : -ENOENT;
}

static bool add_attribute(struct dwarf_unit *u, const struct dwarf_attribute *a)
{
	if (!(u->n_attributes & (u->n_attributes - 1))) {
		size_t room = u->n_attributes ? 2 * u->n_attributes : 1;
		struct dwarf_attribute *grown = reallocarray(u->attributes, room, sizeof(*grown));

		if (!grown)
			return false;
		u->attributes = grown;
	}
	u->attributes[u->n_attributes++] = *a;
	return true;
}

static struct dwarf_abbrev *abbrev_of(struct dwarf_unit *u, uint64_t code)
{
	if (code >= u->n_abbrevs) {
		size_t n = code + 64;
		struct dwarf_abbrev *grown =
		    code < HIGHEST_CODE ? reallocarray(u->abbrevs, n, sizeof(*grown)) : NULL;

		if (!grown)
			return NULL;
		memset(grown + u->n_abbrevs, 0, (n - u->n_abbrevs) * sizeof(*grown));
		u->abbrevs = grown;
		u->n_abbrevs = n;
	}
	return &u->abbrevs[code];
}

static bool read_abbrevs(struct dwarf_unit *u, const struct dwarf *d, size_t offset)
{
	struct cursor c = {d->abbrev.p, offset, d->abbrev.n, d->file->big_endian, false};
	uint64_t code;

	if (u->n_abbrevs && offset == u->abbrev_offset)
		return true;
	dwarf_unit_release(u);
	u->abbrev_offset = offset;
	if (offset >= d->abbrev.n)
		return false;
	while ((code = uleb(&c)) && !c.bad) {
		struct dwarf_abbrev *a = abbrev_of(u, code);

		if (!a)
			return false;
		*a = (struct dwarf_abbrev){.tag = (uint32_t)uleb(&c), .known = true};
		a->children = fixed(&c, 1);
		a->first = (uint32_t)u->n_attributes;
		while (!c.bad) {
			struct dwarf_attribute t = {.name = (uint32_t)uleb(&c)};

			t.form = (uint32_t)uleb(&c);
			if (t.form == 0x21)
				t.constant = (int64_t)uleb(&c);
			if (!t.name && !t.form)
				break;
			if (!add_attribute(u, &t))
				return false;
			a->n++;
		}
	}
	return !c.bad;
}

size_t dwarf_unit_read(struct dwarf_unit *u, const struct dwarf *d, size_t at)
{
	struct cursor c = {d->info.p, at, d->info.n, d->file->big_endian, false};
	uint64_t length = fixed(&c, 4), abbrevs;
	unsigned type = UNIT_COMPILE;

	u->offset_size = length == 0xffffffff ? 8 : 4;
	if (u->offset_size == 8)
		length = fixed(&c, 8);
	if (c.bad || !length || length > c.end - c.at)
		return 0;
	u->start = at;
	u->end = c.end = c.at + length;
	u->version = (unsigned)fixed(&c, 2);
	if (u->version >= 5) {
		type = (unsigned)fixed(&c, 1);
		u->address_size = (unsigned)fixed(&c, 1);
		abbrevs = fixed(&c, u->offset_size);
	} else {
		abbrevs = fixed(&c, u->offset_size);
		u->address_size = (unsigned)fixed(&c, 1);
	}
	u->entries = c.at;
	u->str_base = u->offset_size == 8 ? 16 : 8;
	u->skipped = c.bad || u->version < 2 || u->version > 5 || u->address_size > 8 ||
		     (type != UNIT_COMPILE && type != UNIT_PARTIAL) || !read_abbrevs(u, d, abbrevs);
	return u->end;
}

void dwarf_unit_release(struct dwarf_unit *u)
{
	free(u->abbrevs);
	free(u->attributes);
	u->abbrevs = NULL;
	u->attributes = NULL;
	u->n_abbrevs = u->n_attributes = 0;
}

/* How many bytes a value of each form takes. */
enum { F_ADDRESS = 32, F_OFFSET, F_ULEB, F_BLOCK, F_TEXT, F_REFERENCE, F_UNKNOWN };

static unsigned size_of_form(uint32_t form)
{
	static const uint8_t sizes[0x2d] = {
	    [0x01] = F_ADDRESS, [0x03] = 2 | 64,  [0x04] = 4 | 64,      [0x05] = 2,
	    [0x06] = 4,         [0x07] = 8,       [0x08] = F_TEXT,      [0x09] = F_BLOCK,
	    [0x0a] = 1 | 64,    [0x0b] = 1,       [0x0c] = 1,           [0x0d] = F_ULEB,
	    [0x0e] = F_OFFSET,  [0x0f] = F_ULEB,  [0x10] = F_REFERENCE, [0x11] = 1,
	    [0x12] = 2,         [0x13] = 4,       [0x14] = 8,           [0x15] = F_ULEB,
	    [0x17] = F_OFFSET,  [0x18] = F_BLOCK, [0x19] = 0,           [0x1a] = F_ULEB,
	    [0x1b] = F_ULEB,    [0x1c] = 4,       [0x1d] = F_OFFSET,    [0x1e] = 16,
	    [0x1f] = F_OFFSET,  [0x20] = 8,       [0x21] = 0,           [0x22] = F_ULEB,
	    [0x23] = F_ULEB,    [0x24] = 8,       [0x25] = 1,           [0x26] = 2,
	    [0x27] = 3,         [0x28] = 4,       [0x29] = 1,           [0x2a] = 2,
	    [0x2b] = 3,         [0x2c] = 4,
	};

	if (form == 0x1f01 || form == 0x1f02)
		return F_ULEB;
	if (form == 0x1f20 || form == 0x1f21)
		return F_OFFSET;
	if (form >= sizeof(sizes) || form == 0 || form == 0x02 || form == 0x16)
		return F_UNKNOWN;
	return sizes[form];
}

/* The value, where it is a number; else what is in the way is skipped. */
static uint64_t take_value(struct cursor *c, const struct dwarf_unit *u, uint32_t form)
{
	unsigned size = size_of_form(form);

	switch (size) {
	case F_ADDRESS:
		return fixed(c, u->address_size);
	case F_REFERENCE:
		return fixed(c, u->version == 2 ? u->address_size : u->offset_size);
	case F_OFFSET:
		return fixed(c, u->offset_size);
	case F_ULEB:
		return uleb(c);
	case F_BLOCK:
		skip(c, uleb(c));
		return 0;
	case F_TEXT:
		while (fixed(c, 1) && !c->bad)
			continue;
		return 0;
	case F_UNKNOWN:
		c->bad = true;
		return 0;
	default:
		if (size & 64) {
			skip(c, fixed(c, size & 63));
			return 0;
		}
		if (size <= 8)
			return fixed(c, size);
		skip(c, size);
		return 0;
	}
}

static const char *indexed_text(const struct dwarf *d, const struct dwarf_unit *u, uint64_t index)
{
	struct cursor c = {d->str_offsets.p, u->str_base, d->str_offsets.n, d->file->big_endian,
			   false};

	if (u->str_base > c.end || index > (c.end - u->str_base) / u->offset_size)
		return NULL;
	skip(&c, index * u->offset_size);
	uint64_t at = fixed(&c, u->offset_size);

	return c.bad ? NULL : text_at(&d->str, at);
}

static const char *text_of(const struct dwarf *d, const struct dwarf_unit *u, uint32_t form,
			   uint64_t value, size_t at)
{
	switch (form) {
	case 0x08:
		return text_at(&d->info, at);
	case 0x0e:
		return text_at(&d->str, value);
	case 0x1f:
		return text_at(&d->line_str, value);
	case 0x1a:
	case 0x25:
	case 0x26:
	case 0x27:
	case 0x28:
	case 0x1f02:
		return indexed_text(d, u, value);
	default:
		return NULL;
	}
}

/* References within a unit count from its header. */
static size_t entry_at(const struct dwarf_unit *u, uint32_t form, uint64_t value)
{
	if (form == 0x10)
		return value;
	return form >= 0x11 && form <= 0x15 && value < u->end - u->start ? u->start + value : 0;
}

size_t dwarf_entry_read(struct dwarf_entry *e, const struct dwarf *d, struct dwarf_unit *u,
			size_t at)
{
	struct cursor c = {d->info.p, at, u->end, d->file->big_endian, false};
	uint64_t code = uleb(&c);

	*e = (struct dwarf_entry){.at = at};
	if (!code)
		return c.bad ? 0 : c.at;
	if (code >= u->n_abbrevs || !u->abbrevs[code].known)
		return 0;
	const struct dwarf_abbrev *a = &u->abbrevs[code];

	e->tag = a->tag;
	e->children = a->children;
	for (uint32_t i = 0; i < a->n && !c.bad; i++) {
		const struct dwarf_attribute *t = &u->attributes[a->first + i];
		uint32_t form = t->form;
		size_t from = c.at;

		/* The form itself may stand before the value. */
		if (form == 0x16) {
			form = (uint32_t)uleb(&c);
			from = c.at;
		}
		uint64_t value = take_value(&c, u, form);

		if (t->name == AT_NAME)
			e->name = text_of(d, u, form, value, from);
		else if (t->name == AT_LINKAGE_NAME || t->name == AT_MIPS_LINKAGE_NAME)
			e->linkage_name = text_of(d, u, form, value, from);
		else if (t->name == AT_ABSTRACT_ORIGIN || t->name == AT_SPECIFICATION)
			e->origin = entry_at(u, form, value);
		else if (t->name == AT_INLINE)
			e->inlined = (unsigned)(form == 0x21 ? (uint64_t)t->constant : value);
		else if (t->name == AT_STR_OFFSETS_BASE)
			u->str_base = value;
		e->declared |= t->name == AT_DECLARATION;
		e->has_code |= t->name == AT_LOW_PC || t->name == AT_RANGES;
	}
	return c.bad ? 0 : c.at;
}
