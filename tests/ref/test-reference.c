/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test-reference.c - compares our statistics with worked cases: test-reference FILE...
 *
 * Prints a line for every number that differs, for every number that a case expects and we do
 * not have, and for every case of an unknown kind; exits 1 if there was any.
 */
#include <jansson.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "refcase.h"

/* Smaller than this, an expected value that is no probability is the rounding of a 0. */
static const double ROUNDED_ZERO = 1e-15;

static double to_number(const json_t *value, double otherwise)
{
	const char *text = json_string_value(value);

	if (text) {
		if (strcmp(text, "inf") == 0 || strcmp(text, "Infinity") == 0)
			return INFINITY;
		if (strcmp(text, "-inf") == 0 || strcmp(text, "-Infinity") == 0)
			return -INFINITY;
		return NAN;
	}
	return json_is_number(value) ? json_number_value(value) : otherwise;
}

double ref_number(const struct ref_case *c, const char *name, double otherwise)
{
	return to_number(json_object_get(c->input, name), otherwise);
}

int ref_has(const struct ref_case *c, const char *name)
{
	return json_object_get(c->input, name) != NULL;
}

const char *ref_string(const struct ref_case *c, const char *name, const char *otherwise)
{
	const char *text = json_string_value(json_object_get(c->input, name));

	return text ? text : otherwise;
}

static double *numbers(const json_t *array, size_t *n)
{
	double *x;

	*n = json_array_size(array);
	if (*n == 0)
		return NULL;
	x = calloc(*n, sizeof(*x));
	if (!x)
		abort();
	for (size_t i = 0; i < *n; i++)
		x[i] = to_number(json_array_get(array, i), NAN);
	return x;
}

double *ref_array(const struct ref_case *c, const char *name, size_t *n)
{
	return numbers(json_object_get(c->input, name), n);
}

void ref_put_array(struct ref_case *c, const char *name, const double *values, size_t n)
{
	struct ref_answer *a = &c->answers[c->count];

	if (c->count == REF_MAX_ANSWERS)
		abort();
	snprintf(a->name, sizeof(a->name), "%s", name);
	a->values = calloc(n ? n : 1, sizeof(*values));
	if (!a->values)
		abort();
	memcpy(a->values, values, n * sizeof(*values));
	a->n = n;
	c->count++;
}

void ref_put(struct ref_case *c, const char *name, double value)
{
	ref_put_array(c, name, &value, 1);
}

static bool agree(const char *name, double ours, double theirs, double tolerance)
{
	if (isnan(theirs))
		return isnan(ours);
	if (isinf(theirs) || isinf(ours))
		return ours == theirs;
	if (fabs(theirs) < ROUNDED_ZERO && (name[0] != 'p' || theirs == 0))
		return fabs(ours) <= 1e-12;
	return fabs(ours - theirs) <= tolerance * fabs(theirs);
}

/* Compares one expected number or array; returns how many numbers differ. */
static int compare(const char *id, const struct ref_case *c, const char *name,
		   const json_t *expected, double tolerance)
{
	const struct ref_answer *a = NULL;
	double single, *many;
	int differ = 0;
	size_t n = 1;

	for (size_t i = 0; i < c->count && !a; i++)
		if (strcmp(c->answers[i].name, name) == 0)
			a = &c->answers[i];
	if (!a) {
		printf("%s: %s: not computed\n", id, name);
		return 1;
	}
	single = to_number(expected, NAN);
	many = json_is_array(expected) ? numbers(expected, &n) : &single;
	if (n != a->n) {
		printf("%s: %s: %zu numbers, expected %zu\n", id, name, a->n, n);
		differ = 1;
	}
	for (size_t i = 0; i < n && !differ; i++) {
		if (agree(name, a->values[i], many[i], tolerance))
			continue;
		printf("%s: %s[%zu]: %.17g, expected %.17g\n", id, name, i, a->values[i], many[i]);
		differ++;
	}
	if (many != &single)
		free(many);
	return differ;
}

static const struct ref_kind *find_kind(const char *name)
{
	for (size_t i = 0; name && i < ref_kind_count; i++)
		if (strcmp(ref_kinds[i].name, name) == 0)
			return &ref_kinds[i];
	return NULL;
}

static int run_case(json_t *json)
{
	const char *id = json_string_value(json_object_get(json, "id")), *name;
	const char *kind_name = json_string_value(json_object_get(json, "kind"));
	const struct ref_kind *kind = find_kind(kind_name);
	struct ref_case c = {.input = json_object_get(json, "input")};
	json_t *expected = json_object_get(json, "expected"), *value;
	int differ = 0, err;

	if (!id)
		id = "(no id)";
	if (!kind || !json_is_object(c.input) || json_object_size(expected) == 0) {
		printf("%s: %s\n", id, kind ? "no input or nothing expected" : "unknown kind");
		return 1;
	}
	err = kind->run(&c);
	if (err) {
		printf("%s: error %d\n", id, err);
		differ = 1;
	} else {
		json_object_foreach(expected, name, value)
			differ += compare(id, &c, name, value, kind->tolerance);
	}
	for (size_t i = 0; i < c.count; i++)
		free(c.answers[i].values);
	return differ;
}

static int run_file(const char *path, size_t *passed, size_t *failed)
{
	json_t *root, *cases, *one;
	json_error_t error;
	size_t i;

	root = json_load_file(path, 0, &error);
	cases = json_is_array(root) ? root : json_object_get(root, "cases");
	if (json_array_size(cases) == 0) {
		printf("%s: %s\n", path, root ? "no cases" : error.text);
		json_decref(root);
		return 1;
	}
	json_array_foreach(cases, i, one)
		(*(run_case(one) ? failed : passed))++;
	json_decref(root);
	return 0;
}

int main(int argc, char **argv)
{
	size_t passed = 0, failed = 0;
	int unreadable = 0;

	if (argc < 2) {
		fprintf(stderr, "usage: test-reference FILE...\n");
		return 2;
	}
	for (int i = 1; i < argc; i++)
		unreadable += run_file(argv[i], &passed, &failed);
	printf("%zu passed, %zu failed\n", passed, failed);
	return failed || unreadable ? 1 : 0;
}
