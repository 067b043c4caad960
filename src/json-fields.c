/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Members of JSON objects, with their types and ranges checked. */
#include "json-fields.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void json_field_bad(struct json_fields *d, const char *key, const char *expected)
{
	if (d->rc)
		return;
	d->rc = -EINVAL;
	snprintf(d->err, d->err_size, "'%s' is not %s", key, expected);
}

void json_field_no_memory(struct json_fields *d)
{
	if (d->rc)
		return;
	d->rc = -ENOMEM;
	snprintf(d->err, d->err_size, "out of memory");
}

bool json_field_absent(json_t *value)
{
	return !value || json_is_null(value);
}

char *json_field_string(struct json_fields *d, json_t *object, const char *key)
{
	json_t *value = json_object_get(object, key);
	char *copy;

	if (json_field_absent(value))
		return NULL;
	if (!json_is_string(value)) {
		json_field_bad(d, key, "a string");
		return NULL;
	}
	copy = strdup(json_string_value(value));
	if (!copy)
		json_field_no_memory(d);
	return copy;
}

int64_t json_field_integer(struct json_fields *d, json_t *object, const char *key, int64_t min,
			   int64_t max, int64_t otherwise)
{
	json_t *value = json_object_get(object, key);
	char expected[80];

	if (json_field_absent(value))
		return otherwise;
	if (json_is_integer(value) && json_integer_value(value) >= min &&
	    json_integer_value(value) <= max)
		return json_integer_value(value);
	snprintf(expected, sizeof(expected), "a whole number from %lld to %lld", (long long)min,
		 (long long)max);
	json_field_bad(d, key, expected);
	return otherwise;
}

double json_field_number(struct json_fields *d, json_t *object, const char *key, double otherwise)
{
	json_t *value = json_object_get(object, key);

	if (json_field_absent(value))
		return otherwise;
	if (!json_is_number(value))
		json_field_bad(d, key, "a number");
	return json_number_value(value);
}

/* true, false, or OTHERWISE for what is not there. */
int json_field_flag(struct json_fields *d, json_t *object, const char *key, int otherwise)
{
	json_t *value = json_object_get(object, key);

	if (json_field_absent(value))
		return otherwise;
	if (!json_is_boolean(value))
		json_field_bad(d, key, "true or false");
	return json_is_true(value);
}

int json_field_token(struct json_fields *d, json_t *object, const char *key,
		     int (*find)(const char *token, size_t len), int otherwise)
{
	json_t *value = json_object_get(object, key);
	int found;

	if (json_field_absent(value))
		return otherwise;
	found =
	    json_is_string(value) ? find(json_string_value(value), json_string_length(value)) : -1;
	if (found < 0)
		json_field_bad(d, key, "a word that this version knows");
	return found < 0 ? otherwise : found;
}

static int hex_digit(char c)
{
	const char *digits = "0123456789abcdef", *at = c ? strchr(digits, c) : NULL;

	return at ? (int)(at - digits) : -1;
}

/* A word: a string, or {"hex": "..."} for what is not UTF-8. */
char *json_field_word(struct json_fields *d, json_t *value, const char *key)
{
	const char *hex = json_string_value(json_object_get(value, "hex"));
	size_t len = hex ? strlen(hex) / 2 : 0;
	char *copy;

	if (json_is_string(value)) {
		copy = strdup(json_string_value(value));
		if (!copy)
			json_field_no_memory(d);
		return copy;
	}
	if (!hex) {
		json_field_bad(d, key, "made of strings");
		return NULL;
	}
	copy = calloc(1, len + 1);
	if (!copy) {
		json_field_no_memory(d);
		return NULL;
	}
	for (size_t i = 0; i < len; i++) {
		int high = hex_digit(hex[2 * i]), low = hex_digit(hex[2 * i + 1]);

		if (high < 0 || low < 0) {
			json_field_bad(d, key, "made of strings");
			break;
		}
		copy[i] = (char)(high << 4 | low);
	}
	return copy;
}

char **json_field_words(struct json_fields *d, json_t *object, const char *key)
{
	json_t *array = json_object_get(object, key), *value;
	char **words;
	size_t i, n = json_array_size(array);

	if (json_field_absent(array))
		return NULL;
	if (!json_is_array(array)) {
		json_field_bad(d, key, "an array");
		return NULL;
	}
	words = calloc(n + 1, sizeof(*words));
	if (!words) {
		json_field_no_memory(d);
		return NULL;
	}
	json_array_foreach(array, i, value)
	{
		words[i] = json_field_word(d, value, key);
		if (!words[i])
			break;
	}
	return words;
}
