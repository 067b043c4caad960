/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Scopes in JSON. */
#include "render-json-scopes.h"

#include <math.h>

#include "json-out.h"
#include "json-put.h"
#include "report.h"

static void put_range(struct json_out *o, double estimate, double low, double high, double level)
{
	json_put_number(o, "estimate", estimate);
	json_put_number(o, "low", low);
	json_put_number(o, "high", high);
	json_put_number(o, "level", level);
}

void json_put_probing(struct json_out *o, const struct report *r, const struct report_variant *v)
{
	if (!v->n_probing)
		return;
	json_put_open(o, "probing", '[');
	for (size_t i = 0; i < v->n_probing; i++) {
		const struct report_change *c = v->probing[i].change;
		const struct report_metric *m = &r->metrics[v->probing[i].metric];

		json_out_open(o, '{');
		json_put_text(o, "name", m->name);
		json_put_text(o, "unit", c->absolute ? m->unit : "ratio");
		json_put_count(o, "n", c->n);
		put_range(o, c->estimate, c->low, c->high, c->level);
		json_put_text(o, "method",
			      c->method == METHOD_NONE ? NULL : change_method_word(c->method));
		json_put_text(o, "reason", c->reason);
		json_out_close(o, '}');
	}
	json_out_close(o, ']');
}

/* The parts that have ROLE, and their sum. */
static void put_side(struct json_out *o, const char *key, const struct report_moved *m,
		     enum moved_role role, const struct moved_amount *sum)
{
	json_put_open(o, key, '{');
	json_put_open(o, "scopes", '[');
	for (size_t i = 0; i < m->n_parts; i++)
		if (m->parts[i].role == role)
			json_out_string(o, m->parts[i].scope);
	json_out_close(o, ']');
	put_range(o, sum->estimate, sum->low, sum->high, m->level);
	json_out_close(o, '}');
}

static void put_sides(struct json_out *o, const char *key, const struct report_moved *m,
		      enum moved_kind kind)
{
	json_out_key(o, key);
	if (!m || m->kind != kind) {
		json_out_null(o);
		return;
	}
	json_out_open(o, '{');
	json_put_text(o, "metric", m->metric);
	json_put_text(o, "unit", m->unit);
	json_put_count(o, "n", m->n);
	put_side(o, "won", m, MOVED_WON, &m->won);
	put_side(o, "lost", m, MOVED_LOST, &m->lost);
	json_put_open(o, "net", '{');
	put_range(o, m->net.estimate, m->net.low, m->net.high, m->level);
	json_out_close(o, '}');
	json_put_number(o, "whole", m->whole);
	json_put_number(o, "share", m->share);
	json_out_close(o, '}');
}

static void put_parts(struct json_out *o, const struct report_moved *m)
{
	json_put_open(o, "parts", '[');
	for (size_t i = 0; i < m->n_parts; i++) {
		const struct report_part *p = &m->parts[i];

		json_out_open(o, '{');
		json_put_text(o, "scope", p->scope);
		put_range(o, p->amount.estimate, p->amount.low, p->amount.high, m->level);
		json_out_close(o, '}');
	}
	json_out_close(o, ']');
}

static void put_calls(struct json_out *o, const struct report_moved *m)
{
	json_put_open(o, "calls_changed", '[');
	for (size_t i = 0; i < m->n_calls; i++) {
		json_out_open(o, '{');
		json_put_text(o, "scope", m->calls[i].scope);
		json_put_number(o, "baseline", m->calls[i].baseline);
		json_put_number(o, "variant", m->calls[i].variant);
		json_out_close(o, '}');
	}
	json_out_close(o, ']');
}

void json_put_moved(struct json_out *o, const struct report_comparison *c)
{
	const struct report_moved *m = c->moved;

	put_sides(o, "moved", m, MOVED_MOVED);
	if (!m)
		return;
	put_sides(o, "narrow", m, MOVED_NARROW);
	put_parts(o, m);
	put_calls(o, m);
}
