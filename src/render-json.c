/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * JSON, schema abstat-report/1: fields are only ever added. What has no value is null, with a
 * "reason" beside it.
 */
#include <errno.h>
#include <math.h>
#include <string.h>

#include "evidence.h"
#include "json-out.h"
#include "render-json-scopes.h"
#include "record-file.h"
#include "render.h"
#include "version.h"

/* A member of an object; KEY is NULL in an array. */
static void put_key(struct json_out *o, const char *key)
{
	if (key)
		json_out_key(o, key);
}

static void put_text(struct json_out *o, const char *key, const char *value)
{
	put_key(o, key);
	json_out_string(o, value);
}

static void put_number(struct json_out *o, const char *key, double value)
{
	put_key(o, key);
	json_out_number(o, value);
}

static void put_count(struct json_out *o, const char *key, uint64_t value)
{
	put_key(o, key);
	json_out_u64(o, value);
}

/* A fact of the machine that is negative where it is not known. */
static void put_fact(struct json_out *o, const char *key, int64_t value)
{
	put_key(o, key);
	if (value < 0)
		json_out_null(o);
	else
		json_out_i64(o, value);
}

static void put_bool(struct json_out *o, const char *key, bool value)
{
	put_key(o, key);
	json_out_bool(o, value);
}

static void put_open(struct json_out *o, const char *key, char bracket)
{
	put_key(o, key);
	json_out_open(o, bracket);
}

/* Begins a line and writes what is ready, so that a document of any length takes the memory of a
 * line. */
static void next_line(struct json_out *o, FILE *out)
{
	json_out_next_line(o);
	fwrite(o->data, 1, o->len, out);
	o->len = 0;
}

static const char *boots_word(enum boot_scope boots)
{
	static const char *const words[] = {
	    [BOOT_UNKNOWN] = NULL,
	    [BOOT_SAME] = "same",
	    [BOOT_ONE_EACH] = "one-each",
	    [BOOT_IS_UNIT] = "unit",
	};

	return words[boots];
}

static void put_host(struct json_out *o, const char *key, const struct machine *m)
{
	if (!m) {
		put_text(o, key, NULL);
		return;
	}
	put_open(o, key, '{');
	put_text(o, "hostname", m->hostname);
	put_text(o, "kernel", m->kernel);
	put_text(o, "cmdline", m->cmdline);
	put_text(o, "arch", m->arch);
	put_text(o, "cpu", m->cpu_model);
	put_text(o, "microcode", m->microcode);
	put_text(o, "governor", m->governor);
	put_text(o, "clocksource", m->clocksource);
	put_text(o, "hypervisor", m->hypervisor);
	put_text(o, "boot_id", m->boot_id);
	put_fact(o, "cpus_online", m->cpus_online);
	put_fact(o, "smt", m->smt);
	put_fact(o, "turbo", m->turbo);
	put_fact(o, "aslr", m->aslr);
	/* -1 is a level of its own, and "not known" as well: both are null. */
	put_fact(o, "perf_event_paranoid", m->paranoid);
	put_fact(o, "memory", m->memory);
	json_out_close(o, '}');
}

static void put_plan(struct json_out *o, const struct record_plan *p)
{
	if (!p) {
		put_text(o, "plan", NULL);
		return;
	}
	put_open(o, "plan", '{');
	put_count(o, "seed", p->seed);
	put_count(o, "blocks", p->blocks);
	put_text(o, "stopped", p->stopped == STOPPED_NOT ? NULL : stop_reason_token(p->stopped));
	put_count(o, "warmup", p->warmup);
	put_count(o, "max_blocks", p->max_blocks);
	put_bool(o, "fixed", p->fixed);
	put_bool(o, "interleaved", p->interleaved);
	put_number(o, "alpha", p->alpha);
	put_number(o, "margin", p->margin);
	put_number(o, "gate", p->gate);
	put_number(o, "precision", p->precision);
	put_number(o, "max_time", p->max_time_ns ? (double)p->max_time_ns / 1e9 : NAN);
	put_count(o, "groups", (uint64_t)(p->groups > 0 ? p->groups : 0));
	put_bool(o, "multiplexed", p->multiplexed);
	put_text(o, "layout", p->layout_block ? "block" : "aslr");
	json_out_close(o, '}');
}

static void put_interval(struct json_out *o, const char *key, const struct interval *i)
{
	put_open(o, key, '{');
	put_number(o, "low", i->low);
	put_number(o, "high", i->high);
	put_number(o, "level", i->level);
	json_out_close(o, '}');
}

static void put_cell(struct json_out *o, const struct report_metric *m, const struct report_cell *c)
{
	put_open(o, NULL, '{');
	put_text(o, "name", m->name);
	put_text(o, "event", m->event ? m->event : m->name);
	put_text(o, "unit", m->unit);
	put_count(o, "n", c->n);
	put_number(o, "mean", c->n ? c->mean : NAN);
	put_number(o, "sd", c->n ? c->sd : NAN);
	put_number(o, "sem_percent", c->n ? c->sem_percent : NAN);
	put_number(o, "median", c->n ? c->median : NAN);
	put_number(o, "min", c->n ? c->min : NAN);
	put_number(o, "max", c->n ? c->max : NAN);
	put_interval(o, "ci", &c->ci);
	put_number(o, "running_percent", c->n ? c->running_percent : NAN);
	if (c->upper_bound)
		put_bool(o, "upper_bound", true);
	if (m->formula)
		put_text(o, "formula", m->formula);
	if (m->source == METRIC_SCOPE) {
		put_text(o, "scope", m->scope);
		put_text(o, "part", scope_part_word(m->part));
		put_text(o, "of", m->of);
	}
	if (m->probed)
		put_bool(o, "probed", true);
	put_text(o, "reason", c->reason);
	json_out_close(o, '}');
}

static void put_variant(struct json_out *o, FILE *out, const struct report *r, size_t variant)
{
	const struct report_variant *v = &r->variants[variant];

	put_open(o, NULL, '{');
	put_text(o, "name", v->name);
	put_text(o, "command", v->command);
	if (v->argv) {
		put_open(o, "argv", '[');
		for (size_t i = 0; v->argv[i]; i++)
			put_text(o, NULL, v->argv[i]);
		json_out_close(o, ']');
	} else {
		put_text(o, "argv", NULL);
	}
	put_count(o, "runs", v->runs);
	put_count(o, "failed", v->failed);
	json_put_probing(o, r, v);
	put_open(o, "metrics", '[');
	for (size_t i = 0; i < r->n_metrics; i++) {
		next_line(o, out);
		put_cell(o, &r->metrics[i], &v->cells[i]);
	}
	json_out_close(o, ']');
	json_out_close(o, '}');
}

static void put_change(struct json_out *o, const struct report_metric *m,
		       const struct report_change *c)
{
	put_open(o, "change", '{');
	put_text(o, "unit", c->absolute ? m->unit : "ratio");
	put_bool(o, "absolute", c->absolute);
	put_number(o, "estimate", c->estimate);
	put_number(o, "low", c->low);
	put_number(o, "high", c->high);
	put_number(o, "level", c->level);
	put_text(o, "method", c->method == METHOD_NONE ? NULL : change_method_word(c->method));
	if (isinf(c->low) || isinf(c->high))
		put_text(o, "reason", "the interval has no end on the side that is null");
	json_out_close(o, '}');
}

static void put_tests(struct json_out *o, const struct report_change *c)
{
	put_number(o, "p", c->p);
	put_number(o, "p_adjusted", c->p_adjusted);
	put_number(o, "alpha", c->alpha);
	put_open(o, "welch", '{');
	put_number(o, "estimate", c->welch.estimate);
	put_number(o, "low", c->welch.low);
	put_number(o, "high", c->welch.high);
	put_number(o, "level", c->welch.level);
	put_number(o, "t", c->welch.t);
	put_number(o, "df", c->welch.df);
	put_number(o, "p", c->welch.p);
	if (isinf(c->welch.low) || isinf(c->welch.high) || isinf(c->welch.t))
		put_text(o, "reason", "not bounded where it is null");
	json_out_close(o, '}');
	put_open(o, "equivalence", '{');
	put_number(o, "margin", c->equivalence.margin);
	put_number(o, "low", c->equivalence.low);
	put_number(o, "high", c->equivalence.high);
	put_number(o, "level", c->equivalence.level);
	put_number(o, "p", c->equivalence.p);
	json_out_close(o, '}');
}

static void put_metric(struct json_out *o, const struct report_metric *m,
		       const struct report_change *c)
{
	put_open(o, NULL, '{');
	put_text(o, "name", m->name);
	put_text(o, "event", m->event ? m->event : m->name);
	put_text(o, "unit", m->unit);
	put_bool(o, "primary", m->primary);
	put_count(o, "n", c->n);
	put_count(o, "n_baseline", c->n_baseline);
	put_count(o, "n_variant", c->n_variant);
	put_text(o, "direction", direction_token(m->direction));
	put_change(o, m, c);
	put_tests(o, c);
	put_number(o, "ruled_out_above", c->ruled_out_above);
	put_number(o, "smallest_visible", c->smallest_visible);
	put_number(o, "runs_needed", c->runs_needed);
	put_bool(o, "within_margin", c->within_margin);
	put_bool(o, "low_n", c->low_n);
	put_bool(o, "disagree", c->disagree);
	put_text(o, "verdict", c->verdict == VERDICT_NONE ? NULL : verdict_word(c->verdict));
	put_text(o, "reason", c->reason);
	json_out_close(o, '}');
}

static void put_gate(struct json_out *o, const struct report_comparison *c)
{
	if (c->gate == GATE_NONE) {
		put_text(o, "gate", NULL);
		return;
	}
	put_open(o, "gate", '{');
	put_text(o, "metric", c->gate_metric);
	put_number(o, "margin", c->gate_margin);
	put_number(o, "p_worse", c->gate_p_worse);
	put_number(o, "p_ruled_out", c->gate_p_ruled_out);
	put_text(o, "result", gate_result_word(c->gate));
	json_out_close(o, '}');
}

static void put_heterogeneity(struct json_out *o, const struct report_comparison *c)
{
	put_open(o, "heterogeneity", '{');
	put_count(o, "machines", c->heterogeneity.machines);
	put_number(o, "q", c->heterogeneity.q);
	put_number(o, "p", c->heterogeneity.p);
	put_number(o, "i2", c->heterogeneity.i2);
	put_number(o, "tau2", c->heterogeneity.tau2);
	json_out_close(o, '}');
}

static void put_comparison(struct json_out *o, FILE *out, const struct report *r,
			   const struct report_comparison *c)
{
	put_open(o, NULL, '{');
	put_text(o, "baseline", r->variants[c->baseline].name);
	put_text(o, "variant", r->variants[c->variant].name);
	put_bool(o, "interleaved", c->interleaved);
	put_text(o, "boots", boots_word(c->boots));
	put_open(o, "metrics", '[');
	for (size_t i = 0; i < r->n_metrics; i++) {
		next_line(o, out);
		put_metric(o, &r->metrics[i], &c->changes[i]);
	}
	json_out_close(o, ']');
	json_put_moved(o, c);
	put_text(o, "verdict", c->verdict == VERDICT_NONE ? NULL : verdict_word(c->verdict));
	put_gate(o, c);
	if (c->heterogeneity.machines)
		put_heterogeneity(o, c);
	put_text(o, "sentence", c->sentence);
	json_out_close(o, '}');
}

static void put_warnings(struct json_out *o, FILE *out, const struct report *r)
{
	put_open(o, "warnings", '[');
	for (size_t i = 0; i < r->n_warnings; i++) {
		next_line(o, out);
		put_open(o, NULL, '{');
		put_text(o, "code", r->warnings[i].code);
		put_text(o, "metric", r->warnings[i].metric);
		put_text(o, "text", r->warnings[i].text);
		json_out_close(o, '}');
	}
	json_out_close(o, ']');
	next_line(o, out);
	put_open(o, "notes", '[');
	for (size_t i = 0; r->record && i < r->record->n_notes; i++) {
		next_line(o, out);
		put_text(o, NULL, r->record->notes[i]);
	}
	json_out_close(o, ']');
}

static void put_report(struct json_out *o, FILE *out, const struct report *r)
{
	json_out_open(o, '{');
	put_text(o, "schema", "abstat-report/1");
	put_text(o, "abstat", abstat_version);
	put_count(o, "status", (uint64_t)r->status);
	put_text(o, "error", r->error);
	next_line(o, out);
	put_host(o, "host", r->record ? &r->record->machine : NULL);
	next_line(o, out);
	put_plan(o, r->record ? &r->record->plan : NULL);
	next_line(o, out);
	put_open(o, "variants", '[');
	for (size_t i = 0; i < r->n_variants; i++) {
		next_line(o, out);
		put_variant(o, out, r, i);
	}
	json_out_close(o, ']');
	next_line(o, out);
	put_open(o, "comparisons", '[');
	for (size_t i = 0; i < r->n_comparisons; i++) {
		next_line(o, out);
		put_comparison(o, out, r, &r->comparisons[i]);
	}
	json_out_close(o, ']');
	next_line(o, out);
	json_out_key(o, "evidence");
	json_out_evidence(o, r, r->evidence);
	next_line(o, out);
	put_warnings(o, out, r);
	json_out_close(o, '}');
	json_out_newline(o);
	fwrite(o->data, 1, o->len, out);
}

static int render(const struct report *report, const struct render_options *options, FILE *out)
{
	struct json_out o;
	bool failed;

	(void)options;
	json_out_init(&o);
	put_report(&o, out, report);
	failed = o.failed;
	json_out_release(&o);
	return failed ? -ENOMEM : render_finish(out);
}

const struct renderer render_json = {"json", render};
