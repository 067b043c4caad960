/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Constants without a name, in two ELF files: texts, tables of jumps, and others. */
#include "elf-same.h"

#include <ctype.h>
#include <string.h>

/* What of one constant is looked at; MOST_BEHIND: behind a pointer. */
enum {
	LONGEST_TEXT = 4096,
	MOST_BYTES = 8192,
	MOST_BEHIND = 16,
	MOST_ENTRIES = 512,
	LEAST_OFFSETS = 3,
	MOST_PADDING = 15
};

bool elf_is_constant(const struct elf_section *s)
{
	if (!s->data || (s->flags & SHF_EXECINSTR))
		return false;
	/* What the dynamic linker has relocated is read-only from then on. */
	return !(s->flags & SHF_WRITE) || !strncmp(s->name, ".data.rel.ro", 12);
}

/* The bytes of a character that text may have, in ASCII or UTF-8; 0: it is none. */
static size_t character_length(const uint8_t *p, uint64_t n)
{
	size_t len = *p < 0x80                 ? 1
		     : *p >= 0xc2 && *p < 0xe0 ? 2
		     : *p >= 0xe0 && *p < 0xf0 ? 3
		     : *p >= 0xf0 && *p < 0xf5 ? 4
					       : 0;

	if (len == 1)
		return isprint(*p) || isspace(*p) || *p == 27;
	for (size_t i = 1; i < len; i++)
		if (i >= n || (p[i] & 0xc0) != 0x80)
			return 0;
	return len;
}

/* Text, as a compiler leaves it in read-only data: the length, without the NUL; 0: it is none. */
static size_t text_length(const uint8_t *p, uint64_t n)
{
	size_t i = 0, len;

	n = n < LONGEST_TEXT ? n : LONGEST_TEXT;
	while (i < n && p[i] && (len = character_length(p + i, n - i)))
		i += len;
	return (i < n && !p[i]) || i >= LONGEST_TEXT ? i : 0;
}

bool elf_is_text(const struct elf_file *f, uint64_t address)
{
	uint32_t i = elf_section_at(f, address);
	uint64_t n = 0;
	const uint8_t *p = elf_bytes_at(f, address, &n);

	if (!p || (f->sections[i].flags & (SHF_WRITE | SHF_EXECINSTR)))
		return false;
	return (address == f->sections[i].address || !p[-1]) && text_length(p, n);
}

static uint64_t least(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

/* Where an entry of a table of jumps leads: it has 4 bytes and is relative to TABLE, or 8 and
 * absolute. */
static uint64_t jump_target(const struct elf_file *f, uint64_t table, const uint8_t *entry,
			    unsigned size)
{
	uint64_t value = elf_number(f, entry, size);

	return size == 4 && f->bits == 64 ? table + (uint64_t)(int64_t)(int32_t)value : value;
}

/* The function that an address leads into, which is mostly the one that the entry before led into.
 * What is never reached leads to its end. */
static const struct elf_symbol *function_at(const struct elf_file *f, uint64_t address,
					    const struct elf_symbol *last)
{
	if (last && address - last->start <= last->size)
		return last;
	uint32_t i = elf_symbol_at(f, address);

	return i != ELF_NONE && f->symbols[i].code ? &f->symbols[i] : NULL;
}

static bool is_pair(const struct elf_pair *p, const struct elf_symbol *a,
		    const struct elf_symbol *b)
{
	return elf_is_pair(p, (uint32_t)(a - p->old->symbols), (uint32_t)(b - p->new->symbols));
}

/* If the functions are not as long as each other, where within them is not compared. */
static bool is_same_entry(const struct elf_pair *p, const struct elf_symbol *a, uint64_t from,
			  const struct elf_symbol *b, uint64_t to)
{
	return a && b && is_pair(p, a, b) &&
	       (a->size != b->size || from - a->start == to - b->start);
}

/*
 * A table of jumps, as for a switch, or of offsets to texts: it leads to the same places. One of
 * jumps may end before the next thing that is referred to: at an entry that leads out of the
 * function on both sides.
 */
static bool is_same_table(const struct elf_pair *p, uint64_t old, uint64_t new, unsigned size,
			  int depth)
{
	const struct elf_symbol *first = NULL, *a = NULL, *b = NULL;
	uint64_t n = least(elf_extent(p->old, old), elf_extent(p->new, new)) / size, i, m;
	const uint8_t *x = elf_bytes_at(p->old, old, &m), *y = elf_bytes_at(p->new, new, &m);

	if (old % 4 || new % 4)
		return false;
	for (i = 0; i < n && i < MOST_ENTRIES; i++) {
		uint64_t from = jump_target(p->old, old, x + i * size, size);
		uint64_t to = jump_target(p->new, new, y + i * size, size);

		a = function_at(p->old, from, a);
		b = function_at(p->new, to, b);
		if (is_same_entry(p, a, from, b, to)) {
			first = i ? first : a;
			continue;
		}
		/* The first is what pads the end. */
		if ((from == old && to == new) ||
		    (!a && !b && !first && elf_section_at(p->old, from) != ELF_NONE &&
		     elf_same_at(p, from, to, 0, depth + 1)))
			continue;
		return i >= 2 && first && a != first && !(b && is_pair(p, first, b));
	}
	return i >= 2;
}

/* Text of no length: the end of another one, whose characters have one byte or four, or by itself
 * between two. */
static bool is_empty_text(const struct elf_file *f, uint64_t address, const uint8_t *p,
			  uint64_t left)
{
	uint64_t n = 0, m = 0, after = 0;
	const uint8_t *two = elf_bytes_at(f, address - 2, &n),
		      *four = elf_bytes_at(f, address - 4, &m),
		      *next = elf_bytes_at(f, address + 1, &after);

	/* Sections of a damaged file may overlap. */
	if (*p || n < 2)
		return false;
	if (two[1])
		return character_length(two + 1, 1);
	if (next && character_length(two, 1) && character_length(next, after))
		return true;
	return m >= 4 && left >= 4 && !memcmp(p, "\0\0\0", 4) && *four &&
	       !memcmp(four + 1, "\0\0", 3);
}

/* A program of fixed address has no relocations for the addresses of its texts. */
static bool is_fixed_text(const struct elf_pair *p, const uint8_t *x, const uint8_t *y,
			  uint64_t size)
{
	unsigned word = p->old->bits / 8;

	return p->old->type == ET_EXEC && size == word &&
	       (elf_is_text(p->old, elf_number(p->old, x, word)) ||
		elf_is_text(p->new, elf_number(p->new, y, word)));
}

/* Bytes, among which there may be addresses. */
static bool is_same_data(const struct elf_pair *p, uint64_t old, uint64_t new, uint64_t length,
			 int depth)
{
	unsigned word = p->old->bits / 8;
	uint64_t n = 0, m = 0;
	const uint8_t *x = elf_bytes_at(p->old, old, &n), *y = elf_bytes_at(p->new, new, &m);

	bool pointers = (p->old->type == ET_EXEC && length >= word && !((old | new) % word)) ||
			elf_relocation_in(p->old, old, length) ||
			elf_relocation_in(p->new, new, length);

	if (length > n || length > m)
		return false;
	if (!pointers && !memcmp(x, y, length))
		return true;
	if (old % word || new % word)
		return false;
	for (uint64_t at = 0; at < length; at += word) {
		uint64_t part = least(length - at, word);
		bool pointer = elf_relocation_in(p->old, old + at, part) ||
			       elf_relocation_in(p->new, new + at, part) ||
			       is_fixed_text(p, x + at, y + at, part);

		if (!pointer && !memcmp(x + at, y + at, part))
			continue;
		if (part < word || !elf_same_slot(p, old + at, new + at, depth))
			return false;
	}
	return true;
}

/* How many bytes of the table, of at most LENGTH, are offsets of texts from its beginning, as
 * compilers make of addresses that are not fixed. */
static uint64_t offsets_length(const struct elf_file *f, uint64_t table, uint64_t length)
{
	uint64_t n = 0, i = 0;
	const uint8_t *x = elf_bytes_at(f, table, &n);

	if (f->bits != 64 || table % 4)
		return 0;
	length = least(least(length, n), MOST_BYTES);
	/* None is that of the table itself, or what follows a short text would be some. */
	while (i + 4 <= length && elf_number(f, x + i, 4) &&
	       elf_is_text(f, jump_target(f, table, x + i, 4)))
		i += 4;
	return i;
}

/* The same of two tables: they lead to the same texts. */
static bool is_same_offsets(const struct elf_pair *p, uint64_t old, uint64_t new, uint64_t length,
			    int depth)
{
	uint64_t n = 0;
	const uint8_t *x = elf_bytes_at(p->old, old, &n), *y = elf_bytes_at(p->new, new, &n);

	for (uint64_t i = 0; i < length; i += 4) {
		uint64_t from = jump_target(p->old, old, x + i, 4);

		if (elf_section_at(p->old, from) == ELF_NONE ||
		    !elf_same_at(p, from, jump_target(p->new, new, y + i, 4), 0, depth + 1))
			return false;
	}
	return true;
}

/* Data of LENGTH bytes: what they are, or what they lead to. */
static bool is_same_thing(const struct elf_pair *p, uint64_t old, uint64_t new, uint64_t length,
			  int depth)
{
	uint64_t offsets =
	    least(offsets_length(p->old, old, length), offsets_length(p->new, new, length));

	if (offsets / 4 < LEAST_OFFSETS)
		return is_same_data(p, old, new, length, depth);
	return is_same_offsets(p, old, new, offsets, depth) &&
	       (offsets == length ||
		is_same_data(p, old + offsets, new + offsets, length - offsets, depth));
}

/* How far one reaches that something refers to. */
static uint64_t without_padding(const uint8_t *p, uint64_t n)
{
	unsigned padding = 0;

	while (n > 1 && padding < MOST_PADDING && !p[n - 1]) {
		n--;
		padding++;
	}
	return n;
}

/* Where they do not reach as far as each other, something else follows, after what it is aligned
 * to. */
static uint64_t common_length(const struct elf_pair *p, uint64_t old, const uint8_t *x,
			      uint64_t new, const uint8_t *y)
{
	uint64_t n = elf_extent(p->old, old), m = elf_extent(p->new, new);

	return n == m ? n : least(without_padding(x, n), without_padding(y, m));
}

bool elf_same_constant(const struct elf_pair *p, uint64_t old, uint64_t new, unsigned size,
		       int depth)
{
	uint64_t n = 0, m = 0;
	const uint8_t *x = elf_bytes_at(p->old, old, &n), *y = elf_bytes_at(p->new, new, &m);
	size_t text = size ? 0 : text_length(x, n);

	/* The first bytes of a table may look like text. */
	if (text && text < 4 && offsets_length(p->old, old, n) / 4 >= LEAST_OFFSETS)
		text = 0;
	if (text)
		return (text < n && text < m && !memcmp(x, y, text + 1)) ||
		       is_same_table(p, old, new, 4, depth);
	if (!size && is_empty_text(p->old, old, x, n) && is_empty_text(p->new, new, y, m))
		return true;
	uint64_t length = size ? size : common_length(p, old, x, new, y);

	length = least(length, depth ? MOST_BEHIND : MOST_BYTES);
	if (*p->work < length)
		return false;
	*p->work -= length;
	return is_same_thing(p, old, new, length, depth) || is_same_table(p, old, new, 4, depth) ||
	       is_same_table(p, old, new, 8, depth);
}

bool elf_same_entries(const struct elf_pair *p, uint64_t old, uint64_t new, uint64_t size)
{
	uint32_t a = elf_symbol_at(p->old, old), b = elf_symbol_at(p->new, new),
		 i = elf_section_at(p->old, old), j = elf_section_at(p->new, new);

	if (a != ELF_NONE || b != ELF_NONE)
		return elf_is_pair(p, a, b) &&
		       old - p->old->symbols[a].start == new - p->new->symbols[b].start;
	if (i == ELF_NONE || j == ELF_NONE ||
	    strcmp(p->old->sections[i].name, p->new->sections[j].name) != 0 ||
	    !elf_is_constant(&p->old->sections[i]) || !elf_is_constant(&p->new->sections[j]) ||
	    size > MOST_BYTES || *p->work < size)
		return false;
	*p->work -= size;
	return is_same_thing(p, old, new, size, 0) ||
	       (p->old->bits == 64 && !((old | new | size) % 4) &&
		is_same_offsets(p, old, new, size, 0));
}
