/* SPDX-License-Identifier: GPL-2.0-or-later */
/* JSON text, built in memory in one pass. */
#include "json-out.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "number.h"

void json_out_init(struct json_out *o)
{
	*o = (struct json_out){0};
}

void json_out_release(struct json_out *o)
{
	free(o->data);
	json_out_init(o);
}

void json_out_clear(struct json_out *o)
{
	o->len = 0;
	o->comma = false;
}

static void put(struct json_out *o, const char *text, size_t len)
{
	if (o->failed)
		return;
	if (len > o->capacity - o->len) {
		size_t capacity = (o->len + len) * 2 + 256;
		char *data = realloc(o->data, capacity);

		if (!data) {
			o->failed = true;
			return;
		}
		o->data = data;
		o->capacity = capacity;
	}
	memcpy(o->data + o->len, text, len);
	o->len += len;
}

static void separate(struct json_out *o)
{
	if (o->comma)
		put(o, ",", 1);
	o->comma = true;
}

void json_out_open(struct json_out *o, char bracket)
{
	separate(o);
	put(o, &bracket, 1);
	o->comma = false;
}

void json_out_close(struct json_out *o, char bracket)
{
	put(o, &bracket, 1);
	o->comma = true;
}

size_t utf8_length(const char *s, size_t len)
{
	const unsigned char *u = (const unsigned char *)s;
	size_t n;

	if (!len)
		return 0;
	n = u[0] < 0x80 ? 1 : u[0] >= 0xc2 && u[0] < 0xe0 ? 2 : (u[0] & 0xf0) == 0xe0 ? 3 : 4;
	if (n > len || (n == 4 && (u[0] < 0xf0 || u[0] > 0xf4)))
		return 0;
	for (size_t i = 1; i < n; i++)
		if ((u[i] & 0xc0) != 0x80)
			return 0;
	/* Overlong forms, surrogates, and what is beyond U+10FFFF. */
	if ((u[0] == 0xe0 && u[1] < 0xa0) || (u[0] == 0xed && u[1] > 0x9f) ||
	    (u[0] == 0xf0 && u[1] < 0x90) || (u[0] == 0xf4 && u[1] > 0x8f))
		return 0;
	return n;
}

static void put_escaped(struct json_out *o, unsigned char c)
{
	static const char hex[] = "0123456789abcdef";
	static const char shorts[] = "\"\\\b\f\n\r\t", letters[] = "\"\\bfnrt";
	const char *at = strchr(shorts, c);
	char text[6] = {'\\', 'u', '0', '0', hex[c >> 4], hex[c & 15]};

	if (at)
		text[1] = letters[at - shorts];
	put(o, text, at ? 2 : 6);
}

static void put_string(struct json_out *o, const char *s)
{
	size_t len = strlen(s), plain = 0, i = 0;

	put(o, "\"", 1);
	while (i < len) {
		size_t n = utf8_length(s + i, len - i);
		unsigned char c = (unsigned char)s[i];

		if (n && c >= 0x20 && c != '"' && c != '\\' && c != 0x7f) {
			i += n;
			continue;
		}
		put(o, s + plain, i - plain);
		if (n)
			put_escaped(o, c);
		else
			put(o, "\xef\xbf\xbd", 3);
		plain = ++i;
	}
	put(o, s + plain, len - plain);
	put(o, "\"", 1);
}

void json_out_key(struct json_out *o, const char *key)
{
	separate(o);
	put_string(o, key);
	put(o, ":", 1);
	o->comma = false;
}

void json_out_string(struct json_out *o, const char *s)
{
	if (!s) {
		json_out_null(o);
		return;
	}
	separate(o);
	put_string(o, s);
}

void json_out_number(struct json_out *o, double value)
{
	char buf[NUMBER_SIZE];

	if (!isfinite(value)) {
		json_out_null(o);
		return;
	}
	separate(o);
	put(o, buf, number_format(buf, value));
}

void json_out_u64(struct json_out *o, uint64_t value)
{
	char buf[NUMBER_SIZE];

	separate(o);
	put(o, buf, number_format_u64(buf, value));
}

void json_out_i64(struct json_out *o, int64_t value)
{
	char buf[NUMBER_SIZE + 1] = "-";

	separate(o);
	if (value < 0)
		put(o, buf, 1 + number_format_u64(buf + 1, -(uint64_t)value));
	else
		put(o, buf + 1, number_format_u64(buf + 1, (uint64_t)value));
}

void json_out_bool(struct json_out *o, bool value)
{
	separate(o);
	put(o, value ? "true" : "false", value ? 4 : 5);
}

void json_out_null(struct json_out *o)
{
	separate(o);
	put(o, "null", 4);
}

void json_out_next_line(struct json_out *o)
{
	if (o->comma)
		put(o, ",", 1);
	put(o, "\n", 1);
	o->comma = false;
}

void json_out_newline(struct json_out *o)
{
	put(o, "\n", 1);
	o->comma = false;
}
