/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Members of JSON objects. */
#include "json-put.h"

#include "json-out.h"

static void put_key(struct json_out *o, const char *key)
{
	if (key)
		json_out_key(o, key);
}

void json_put_open(struct json_out *o, const char *key, char bracket)
{
	put_key(o, key);
	json_out_open(o, bracket);
}

void json_put_text(struct json_out *o, const char *key, const char *value)
{
	put_key(o, key);
	json_out_string(o, value);
}

void json_put_number(struct json_out *o, const char *key, double value)
{
	put_key(o, key);
	json_out_number(o, value);
}

void json_put_count(struct json_out *o, const char *key, uint64_t value)
{
	put_key(o, key);
	json_out_u64(o, value);
}

void json_put_bool(struct json_out *o, const char *key, bool value)
{
	put_key(o, key);
	json_out_bool(o, value);
}

void json_put_fact(struct json_out *o, const char *key, int64_t value)
{
	put_key(o, key);
	if (value < 0)
		json_out_null(o);
	else
		json_out_i64(o, value);
}
