/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * JSON text, built in memory in one pass.
 *
 * Numbers are written with the fewest digits that read back the same (jansson always writes 17), so
 * that what is read and written again has the same bytes. Commas are put where they belong. Memory
 * that runs out is remembered in `failed` and checked once, at the end.
 */
#ifndef ABSTAT_JSON_OUT_H
#define ABSTAT_JSON_OUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct json_out {
	char *data; /* not NUL-terminated */
	size_t len, capacity;
	bool comma; /* the next value or key follows another one */
	bool failed;
};

void json_out_init(struct json_out *o);
void json_out_release(struct json_out *o);
void json_out_clear(struct json_out *o); /* empties it and keeps the memory */

void json_out_open(struct json_out *o, char bracket);  /* '{' or '[' */
void json_out_close(struct json_out *o, char bracket); /* '}' or ']' */
void json_out_key(struct json_out *o, const char *key);

/* NULL gives null. Bytes that are not UTF-8 become U+FFFD. */
void json_out_string(struct json_out *o, const char *s);
/* NaN and infinities give null. */
void json_out_number(struct json_out *o, double value);
void json_out_u64(struct json_out *o, uint64_t value);
void json_out_i64(struct json_out *o, int64_t value);
void json_out_bool(struct json_out *o, bool value);
void json_out_null(struct json_out *o);
void json_out_next_line(struct json_out *o); /* what follows begins a line, after its comma */
void json_out_newline(struct json_out *o);   /* ends a document of NDJSON */

/* The length of the UTF-8 character at S, or 0 if the bytes there are not one. */
size_t utf8_length(const char *s, size_t len);

#endif
