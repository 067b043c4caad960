/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Members of JSON objects, a key and a value in one; KEY is NULL in an array.
 */
#ifndef ABSTAT_JSON_PUT_H
#define ABSTAT_JSON_PUT_H

#include <stdbool.h>
#include <stdint.h>

struct json_out;

void json_put_open(struct json_out *o, const char *key, char bracket);
/* Values as in json-out.h. */
void json_put_text(struct json_out *o, const char *key, const char *value);
void json_put_number(struct json_out *o, const char *key, double value);
void json_put_count(struct json_out *o, const char *key, uint64_t value);
void json_put_bool(struct json_out *o, const char *key, bool value);
/* A fact that is negative where it is not known: null then. */
void json_put_fact(struct json_out *o, const char *key, int64_t value);

#endif
