/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Text for a terminal.
 */
#include "text.h"

#include <langinfo.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#include "json-out.h"

/* Signs that abstat writes, and what stands for them in ASCII. */
static const struct {
	uint32_t c;
	const char *ascii;
} ascii_signs[] = {
    {0x00b1, "+-"},  {0x00b5, "u"},  {0x00d7, "x"},   {0x00f7, "/"},  {0x2013, "-"},
    {0x2014, "-"},   {0x2018, "'"},  {0x2019, "'"},   {0x201c, "\""}, {0x201d, "\""},
    {0x2026, "..."}, {0x2212, "-"},  {0x221e, "inf"}, {0x2264, "<="}, {0x2265, ">="},
    {0x00b7, "-"},   {0x2192, "->"}, {0x2260, "!="},  {0x03bc, "u"},
};

/* Decodes one character. Returns its length in bytes, 0 if TEXT does not begin with valid UTF-8. */
static size_t decode(const unsigned char *text, uint32_t *c)
{
	size_t len = utf8_length((const char *)text, strnlen((const char *)text, 4));

	*c = len > 1 ? text[0] & (0xffu >> (len + 1)) : text[0];
	for (size_t i = 1; i < len; i++)
		*c = *c << 6 | (text[i] & 0x3f);
	return len;
}

static bool is_control(uint32_t c)
{
	return c < 0x20 || (c >= 0x7f && c < 0xa0) || c == 0x200e || c == 0x200f || c == 0x061c ||
	       c == 0x2028 || c == 0x2029 || (c >= 0x202a && c <= 0x202e) ||
	       (c >= 0x2066 && c <= 0x2069) || c == 0xfeff;
}

static const char *sign_in_ascii(uint32_t c)
{
	for (size_t i = 0; i < sizeof(ascii_signs) / sizeof(ascii_signs[0]); i++)
		if (ascii_signs[i].c == c)
			return ascii_signs[i].ascii;
	return NULL;
}

static void put_hex(FILE *out, const unsigned char *bytes, size_t len)
{
	for (size_t i = 0; i < len; i++)
		fprintf(out, "\\x%02x", bytes[i]);
}

/* Nearly all text is printable ASCII, and as it should be already. */
static bool is_plain(const char *text)
{
	while (*text >= ' ' && *text <= '~')
		text++;
	return !*text;
}

void text_put(FILE *out, const char *text, unsigned flags)
{
	const unsigned char *p = (const unsigned char *)text;

	if (is_plain(text)) {
		fputs(text, out);
		return;
	}
	while (*p) {
		uint32_t c = 0;
		size_t len = decode(p, &c);
		const char *ascii;

		if (!len) {
			put_hex(out, p, 1);
			len = 1;
		} else if ((c == '\n' || c == '\t') && (flags & TEXT_LINES)) {
			fputc((int)c, out);
		} else if (c == '\n') {
			fputs("\\n", out);
		} else if (c == '\t') {
			fputs("\\t", out);
		} else if (c == '\r') {
			fputs("\\r", out);
		} else if (is_control(c)) {
			put_hex(out, p, len);
		} else if (c < 0x80 || (flags & TEXT_UTF8)) {
			fwrite(p, 1, len, out);
		} else {
			ascii = sign_in_ascii(c);
			if (ascii)
				fputs(ascii, out);
			else
				put_hex(out, p, len);
		}
		p += len;
	}
}

char *text_clean(const char *text, unsigned flags)
{
	char *clean = NULL;
	size_t size = 0;
	FILE *out;

	if (is_plain(text))
		return strdup(text);
	out = open_memstream(&clean, &size);
	if (!out)
		return NULL;
	text_put(out, text, flags);
	if (fclose(out)) {
		free(clean);
		return NULL;
	}
	return clean;
}

size_t text_width(const char *text)
{
	const unsigned char *p = (const unsigned char *)text;
	size_t width = 0;

	if (is_plain(text))
		return strlen(text);
	while (*p) {
		uint32_t c = 0;
		size_t len = decode(p, &c);
		int columns = len && c >= 0x80 ? wcwidth((wchar_t)c) : 1;

		/* What the locale does not know takes one column nearly everywhere. */
		width += columns < 0 ? 1 : (size_t)columns;
		p += len ? len : 1;
	}
	return width;
}

bool text_locale_is_utf8(void)
{
	return !strcmp(nl_langinfo(CODESET), "UTF-8");
}
