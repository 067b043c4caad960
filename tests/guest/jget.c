// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * jget FILE PATH: prints one value of a JSON document, for tests in a shell without jq.
 *
 * PATH is steps joined by dots: a member's name, an array's index, or name=VALUE, which takes the
 * first object of an array whose "name" is VALUE: 'variants.0.metrics.name=cycles:u.mean'. As
 * names may have dots, a step may stand in double quotes: 'metrics."name=a.b".mean'.
 * Numbers are printed so that they read back exactly, strings as they are, arrays by their length.
 * Status 1 where there is no such thing.
 */
#include <err.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const json_t *by_name(const json_t *array, const char *name)
{
	const json_t *item;
	size_t i;

	json_array_foreach(array, i, item) {
		const char *found = json_string_value(json_object_get(item, "name"));

		if (found && strcmp(found, name) == 0)
			return item;
	}
	return NULL;
}

static const json_t *step(const json_t *from, const char *word)
{
	if (json_is_object(from))
		return json_object_get(from, word);
	if (!json_is_array(from))
		return NULL;
	if (strncmp(word, "name=", 5) == 0)
		return by_name(from, word + 5);
	return json_array_get(from, strtoul(word, NULL, 10));
}

/* Cuts the next step off the path; NULL at its end. */
static char *next_word(char **path)
{
	char *word = *path;
	char *end;

	if (!word || !*word)
		return NULL;
	if (*word == '"') {
		end = strchr(++word, '"');
		if (!end)
			errx(2, "no closing quote in the path");
		*end++ = '\0';
	} else {
		end = word + strcspn(word, ".");
	}
	if (*end == '.')
		*end++ = '\0';
	*path = end;
	return word;
}

static void print(const json_t *value)
{
	double number = json_number_value(value);

	if (json_is_string(value))
		puts(json_string_value(value));
	else if (json_is_integer(value) || (json_is_real(value) && number == floor(number) &&
					    fabs(number) < 9007199254740992.0))
		printf("%.0f\n", number);
	else if (json_is_real(value))
		printf("%.17g\n", number);
	else if (json_is_array(value))
		printf("%zu\n", json_array_size(value));
	else if (json_is_boolean(value))
		puts(json_is_true(value) ? "true" : "false");
	else
		puts(json_is_null(value) ? "null" : "object");
}

int main(int argc, char **argv)
{
	json_error_t error;
	const json_t *value;
	char *path, *word;

	if (argc != 3)
		errx(2, "usage: jget FILE PATH");
	value = json_load_file(argv[1], JSON_DECODE_ANY, &error);
	if (!value)
		errx(2, "%s:%d: %s", argv[1], error.line, error.text);
	path = argv[2];
	while (value && (word = next_word(&path)))
		value = step(value, word);
	if (!value)
		return 1;
	print(value);
	return 0;
}
