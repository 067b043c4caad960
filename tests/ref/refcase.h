/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * refcase.h - one case of a reference file: reading its input, collecting our answers.
 *
 * A case is {"id", "kind", "input": {...}, "expected": {...}}. A kind's function reads what it
 * needs of the input and puts every number that it can name; those that the case expects are
 * compared afterwards.
 */
#ifndef ABSTAT_TESTS_REFCASE_H
#define ABSTAT_TESTS_REFCASE_H

#include <jansson.h>
#include <stddef.h>

enum { REF_MAX_ANSWERS = 160 };

struct ref_answer {
	char name[24];
	double *values;
	size_t n; /* 1 unless the answer is an array */
};

struct ref_case {
	const json_t *input;
	struct ref_answer answers[REF_MAX_ANSWERS];
	size_t count;
};

/* An array of the input, for the caller to free; *n = 0 and NULL where there is none. */
double *ref_array(const struct ref_case *c, const char *name, size_t *n);

/* A number of the input (or "inf", "-inf", "nan"), or otherwise. */
double ref_number(const struct ref_case *c, const char *name, double otherwise);
int ref_has(const struct ref_case *c, const char *name);
const char *ref_string(const struct ref_case *c, const char *name, const char *otherwise);

void ref_put(struct ref_case *c, const char *name, double value);
void ref_put_array(struct ref_case *c, const char *name, const double *values, size_t n);

/* A kind of case; run() returns 0 or what the library returned. */
struct ref_kind {
	const char *name;
	double tolerance; /* relative */
	int (*run)(struct ref_case *c);
};

extern const struct ref_kind ref_kinds[];
extern const size_t ref_kind_count;

#endif
