/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Expressions over metrics: + - * / and parentheses, for derived metrics and --metric 'NAME=EXPR'.
 *
 * Names may hold the characters of events (cache-misses:u, cpu/event=0x3c/, alloc/cycles.total): at
 * each place the longest word that KNOWN accepts is the name, so "instructions/cycles" is a
 * division and "cache-misses" one name. A name in single or double quotes is taken as it is. "×",
 * "÷" and "−" are accepted as operators.
 */
#ifndef ABSTAT_EXPR_H
#define ABSTAT_EXPR_H

#include <stdbool.h>
#include <stddef.h>

struct expr;

/* True if the LEN bytes at NAME are a metric's name. */
typedef bool expr_known_fn(void *context, const char *name, size_t len);

/*
 * Parses TEXT. Returns the expression, or NULL with a message in ERR that names the place. Names
 * are not looked up beyond KNOWN; expr_n_names() and expr_name() give them in order of first use,
 * without repetition.
 */
struct expr *expr_parse(const char *text, expr_known_fn *known, void *context, char *err,
			size_t err_size);
size_t expr_n_names(const struct expr *e);
const char *expr_name(const struct expr *e, size_t i);

/*
 * Evaluates with VALUES[PLACES[i]] for expr_name(e, i), or VALUES[i] if PLACES is NULL. NaN if any
 * value is NaN, and for a division by zero (*DIVIDED is set to true then, if DIVIDED is not NULL).
 */
double expr_eval(const struct expr *e, const double *values, const long *places, bool *divided);

/*
 * Which way an expression is better, as an enum direction, from that of its names (in their order):
 * a sum or product of what is all better lower is better lower; so is a constant times it. Where it
 * cannot be told, such as for a ratio of two of them, it is neutral. Values are taken to be
 * positive.
 */
int expr_direction(const struct expr *e, const int *directions);

/*
 * The unit of an expression, from those of its names (in their order): that of sums and differences
 * of what has one unit, also multiplied or divided by a constant. NULL where it cannot be told.
 */
const char *expr_unit(const struct expr *e, const char *const *units);

void expr_free(struct expr *e);

/*
 * Splits the "NAME=EXPR", "NAME[UNIT]=EXPR" or "NAME[UNIT,higher|lower]=EXPR" of --metric (and
 * --extract). *NAME and *UNIT are malloc'd
 * (*UNIT "" if left out), *DIRECTION an enum direction, *REST points into TEXT behind the '='. 0,
 * or -EINVAL with a message.
 */
int expr_split_definition(const char *text, char **name, char **unit, int *direction,
			  const char **rest, char *err, size_t err_size);

#endif
