/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Expressions over metrics: a recursive-descent parser that writes a program for a stack machine.
 */
#include "expr.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "metric.h"
#include "number.h"

/* A level of parentheses keeps at most two operands waiting, so that STACK holds the deepest
 * program. */
enum { MAX_NESTING = 60, STACK = 2 * MAX_NESTING + 4, MAX_NAME = 512 };

enum opcode { OP_NUMBER, OP_NAME, OP_ADD, OP_SUBTRACT, OP_MULTIPLY, OP_DIVIDE, OP_NEGATE };

struct op {
	enum opcode code;
	size_t name;   /* OP_NAME */
	double number; /* OP_NUMBER */
};

struct expr {
	struct op *ops;
	size_t n_ops, ops_capacity;
	char **names;
	size_t n_names;
};

struct parser {
	const char *text;
	const char *at;
	struct expr *e;
	expr_known_fn *known;
	void *context;
	int nesting;
	char *err;
	size_t err_size;
};

static bool parse_sum(struct parser *p);

static bool __attribute__((format(printf, 2, 3))) fail(struct parser *p, const char *format, ...)
{
	char what[MAX_NAME];
	va_list ap;

	va_start(ap, format);
	vsnprintf(what, sizeof(what), format, ap);
	va_end(ap);
	snprintf(p->err, p->err_size, "%s at character %zu of '%s'", what,
		 (size_t)(p->at - p->text) + 1, p->text);
	return false;
}

static bool emit(struct parser *p, enum opcode code, size_t name, double number)
{
	struct expr *e = p->e;

	if (e->n_ops == e->ops_capacity) {
		size_t capacity = e->ops_capacity ? e->ops_capacity * 2 : 16;
		struct op *ops = reallocarray(e->ops, capacity, sizeof(*ops));

		if (!ops)
			return fail(p, "out of memory");
		e->ops = ops;
		e->ops_capacity = capacity;
	}
	e->ops[e->n_ops++] = (struct op){code, name, number};
	return true;
}

static bool emit_name(struct parser *p, const char *name, size_t len)
{
	struct expr *e = p->e;
	char **names;
	size_t i;

	for (i = 0; i < e->n_names; i++)
		if (strlen(e->names[i]) == len && !memcmp(e->names[i], name, len))
			return emit(p, OP_NAME, i, 0);
	names = reallocarray(e->names, e->n_names + 1, sizeof(*names));
	if (!names)
		return fail(p, "out of memory");
	e->names = names;
	names[i] = strndup(name, len);
	if (!names[i])
		return fail(p, "out of memory");
	e->n_names++;
	return emit(p, OP_NAME, i, 0);
}

static void skip_space(struct parser *p)
{
	while (isspace((unsigned char)*p->at))
		p->at++;
}

/* Recognises an operator at S: its ASCII form, and its length in *LEN; '\0' if there is none. */
static char operator_at(const char *s, size_t *len)
{
	static const struct {
		const char *text;
		char op;
	} operators[] = {{"+", '+'}, {"-", '-'}, {"*", '*'}, {"/", '/'},
			 {"×", '*'}, {"÷", '/'}, {"−", '-'}};

	for (size_t i = 0; i < sizeof(operators) / sizeof(operators[0]); i++) {
		*len = strlen(operators[i].text);
		if (!strncmp(s, operators[i].text, *len))
			return operators[i].op;
	}
	*len = 0;
	return '\0';
}

static bool take(struct parser *p, const char *wanted, char *op)
{
	size_t len;

	skip_space(p);
	*op = operator_at(p->at, &len);
	if (!*op || !strchr(wanted, *op))
		return false;
	p->at += len;
	return true;
}

/* The longest stretch at S that could be a name: '-' and '/' belong to names, the other operators
 * do not. */
static size_t name_extent(const char *s)
{
	size_t n = 0, len;

	while (s[n] && !isspace((unsigned char)s[n]) && !strchr("()'\"", s[n])) {
		char op = operator_at(s + n, &len);

		if (op && s[n] != '-' && s[n] != '/')
			break;
		n++;
	}
	return n;
}

static bool parse_name(struct parser *p)
{
	size_t extent = name_extent(p->at), first_word;

	if (extent > MAX_NAME)
		return fail(p, "a name of more than %d bytes", MAX_NAME);
	for (size_t n = extent; n; n--) {
		bool boundary = n == extent || p->at[n] == '-' || p->at[n] == '/';

		if (boundary && p->known(p->context, p->at, n)) {
			if (!emit_name(p, p->at, n))
				return false;
			p->at += n;
			return true;
		}
	}
	first_word = strcspn(p->at, " \t\n()'\"+*");
	return fail(p, "no metric is called '%.*s'", (int)(first_word < 80 ? first_word : 80),
		    p->at);
}

static bool parse_quoted(struct parser *p)
{
	char quote = *p->at;
	const char *close = strchr(p->at + 1, quote);
	size_t len;

	if (!close)
		return fail(p, "a quote that is not closed");
	len = (size_t)(close - p->at) - 1;
	if (!len || len > MAX_NAME || !p->known(p->context, p->at + 1, len))
		return fail(p, "no metric is called '%.*s'", (int)(len < 80 ? len : 80), p->at + 1);
	if (!emit_name(p, p->at + 1, len))
		return false;
	p->at = close + 1;
	return true;
}

static bool parse_operand(struct parser *p)
{
	skip_space(p);
	if (*p->at == '(') {
		if (++p->nesting > MAX_NESTING)
			return fail(p, "more than %d nested parentheses", MAX_NESTING);
		p->at++;
		if (!parse_sum(p))
			return false;
		skip_space(p);
		if (*p->at != ')')
			return fail(p, *p->at ? "expected an operator or ')'" : "a missing ')'");
		p->at++;
		p->nesting--;
		return true;
	}
	if (*p->at == '\'' || *p->at == '"')
		return parse_quoted(p);
	if (isdigit((unsigned char)*p->at) || *p->at == '.') {
		double number;
		const char *end = number_parse(p->at, p->at + strlen(p->at), &number);

		/* "4kb-reads" is a name although it starts as a number. */
		if (end && !isalnum((unsigned char)*end) && *end != '_' && *end != '.' &&
		    *end != ':') {
			p->at = end;
			return emit(p, OP_NUMBER, 0, number);
		}
	}
	if (!name_extent(p->at))
		return fail(p, "expected a metric, a number or '('");
	return parse_name(p);
}

static bool parse_signed(struct parser *p)
{
	bool negative = false;
	char op;

	while (take(p, "+-", &op))
		negative ^= op == '-';
	return parse_operand(p) && (!negative || emit(p, OP_NEGATE, 0, 0));
}

static bool parse_product(struct parser *p)
{
	char op;

	if (!parse_signed(p))
		return false;
	while (take(p, "*/", &op))
		if (!parse_signed(p) || !emit(p, op == '*' ? OP_MULTIPLY : OP_DIVIDE, 0, 0))
			return false;
	return true;
}

static bool parse_sum(struct parser *p)
{
	char op;

	if (!parse_product(p))
		return false;
	while (take(p, "+-", &op))
		if (!parse_product(p) || !emit(p, op == '+' ? OP_ADD : OP_SUBTRACT, 0, 0))
			return false;
	return true;
}

struct expr *expr_parse(const char *text, expr_known_fn *known, void *context, char *err,
			size_t err_size)
{
	struct expr *e = calloc(1, sizeof(*e));
	struct parser p = {.text = text,
			   .at = text,
			   .e = e,
			   .known = known,
			   .context = context,
			   .err = err,
			   .err_size = err_size};

	if (!e) {
		snprintf(err, err_size, "out of memory");
		return NULL;
	}
	if (parse_sum(&p)) {
		skip_space(&p);
		if (!*p.at)
			return e;
		fail(&p, "expected an operator");
	}
	expr_free(e);
	return NULL;
}

size_t expr_n_names(const struct expr *e)
{
	return e->n_names;
}

const char *expr_name(const struct expr *e, size_t i)
{
	return e->names[i];
}

static double apply(enum opcode code, double a, double b)
{
	switch (code) {
	case OP_ADD:
		return a + b;
	case OP_SUBTRACT:
		return a - b;
	case OP_MULTIPLY:
		return a * b;
	default:
		return a / b;
	}
}

double expr_eval(const struct expr *e, const double *values, const long *places, bool *divided)
{
	double stack[STACK];
	size_t top = 0;

	if (divided)
		*divided = false;
	for (size_t i = 0; i < e->n_names; i++)
		if (isnan(values[places ? places[i] : (long)i]))
			return NAN;
	for (size_t i = 0; i < e->n_ops; i++) {
		const struct op *op = &e->ops[i];

		if (op->code == OP_NUMBER) {
			stack[top++] = op->number;
		} else if (op->code == OP_NAME) {
			stack[top++] = values[places ? places[op->name] : (long)op->name];
		} else if (op->code == OP_NEGATE) {
			stack[top - 1] = -stack[top - 1];
		} else {
			if (op->code == OP_DIVIDE && stack[top - 1] == 0) {
				if (divided)
					*divided = true;
				return NAN;
			}
			top--;
			stack[top - 1] = apply(op->code, stack[top - 1], stack[top]);
		}
	}
	return isfinite(stack[0]) ? stack[0] : NAN;
}

/* What is known of a part of an expression: its direction, or that it is constant. */
enum { CONSTANT = -1 };

static int opposite(int direction)
{
	return direction == DIRECTION_LOWER    ? DIRECTION_HIGHER
	       : direction == DIRECTION_HIGHER ? DIRECTION_LOWER
					       : direction;
}

int expr_direction(const struct expr *e, const int *directions)
{
	int stack[STACK];
	size_t top = 0;

	for (size_t i = 0; i < e->n_ops; i++) {
		const struct op *op = &e->ops[i];

		if (op->code == OP_NUMBER || op->code == OP_NAME) {
			stack[top++] = op->code == OP_NAME ? directions[op->name] : CONSTANT;
		} else if (op->code == OP_NEGATE) {
			stack[top - 1] = opposite(stack[top - 1]);
		} else {
			bool turns = op->code == OP_SUBTRACT || op->code == OP_DIVIDE;
			int b = turns ? opposite(stack[--top]) : stack[--top], a = stack[top - 1];

			stack[top - 1] = a == CONSTANT             ? b
					 : b == CONSTANT || a == b ? a
								   : DIRECTION_NEUTRAL;
		}
	}
	return stack[0] == CONSTANT ? DIRECTION_NEUTRAL : stack[0];
}

static const char constant_unit[] = "";

/* The unit of A and B after CODE; NULL: it cannot be told. */
static const char *join_units(enum opcode code, const char *a, const char *b)
{
	if (!a || !b)
		return NULL;
	if (code == OP_MULTIPLY && a == constant_unit)
		return b;
	if (code == OP_MULTIPLY || code == OP_DIVIDE)
		return b == constant_unit ? a : NULL;
	return b == constant_unit || !strcmp(a, b) ? a : a == constant_unit ? b : NULL;
}

const char *expr_unit(const struct expr *e, const char *const *units)
{
	const char *stack[STACK];
	size_t top = 0;

	for (size_t i = 0; i < e->n_ops; i++) {
		const struct op *op = &e->ops[i];

		if (op->code == OP_NUMBER || op->code == OP_NAME) {
			stack[top++] = op->code == OP_NAME ? units[op->name] : constant_unit;
		} else if (op->code != OP_NEGATE) {
			top--;
			stack[top - 1] = join_units((enum opcode)op->code, stack[top - 1], stack[top]);
		}
	}
	return stack[0];
}

void expr_free(struct expr *e)
{
	if (!e)
		return;
	for (size_t i = 0; i < e->n_names; i++)
		free(e->names[i]);
	free(e->names);
	free(e->ops);
	free(e);
}
