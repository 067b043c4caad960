/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Members of JSON objects that came from anywhere, with their types and ranges checked.
 *
 * What is absent or null gives the value for that. An error is remembered, and all goes on: so an
 * object is read without a check after each member, and the first error is looked at in the end.
 */
#ifndef ABSTAT_JSON_FIELDS_H
#define ABSTAT_JSON_FIELDS_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The first error is kept; those that follow are not. */
struct json_fields {
	int rc; /* 0, -EINVAL or -ENOMEM */
	char *err;
	size_t err_size;
};

/* "'KEY' is not EXPECTED". */
void json_field_bad(struct json_fields *d, const char *key, const char *expected);
void json_field_no_memory(struct json_fields *d);

/* True for what is not there, or null. */
bool json_field_absent(json_t *value);

/* malloc'd; NULL if absent, or after an error. */
char *json_field_string(struct json_fields *d, json_t *object, const char *key);

int64_t json_field_integer(struct json_fields *d, json_t *object, const char *key, int64_t min,
			   int64_t max, int64_t otherwise);
double json_field_number(struct json_fields *d, json_t *object, const char *key, double otherwise);

/* 1, 0, or OTHERWISE. */
int json_field_flag(struct json_fields *d, json_t *object, const char *key, int otherwise);

/* What FIND makes of a string; it gives a negative number for a word that it does not know. */
int json_field_token(struct json_fields *d, json_t *object, const char *key,
		     int (*find)(const char *token, size_t len), int otherwise);

/* A word: a string, or {"hex": "..."} for what is not UTF-8. malloc'd; NULL after an error. */
char *json_field_word(struct json_fields *d, json_t *value, const char *key);

/* An array of words, NULL-terminated and malloc'd; NULL if absent. */
char **json_field_words(struct json_fields *d, json_t *object, const char *key);

#endif
