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
#include "json-put.h"
#include "render-json-scopes.h"
#include "record-file.h"
#include "render.h"
#include "version.h"

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
		json_put_text(o, key, NULL);
		return;
	}
	json_put_open(o, key, '{');
	json_put_text(o, "hostname", m->hostname);
	json_put_text(o, "kernel", m->kernel);
	json_put_text(o, "cmdline", m->cmdline);
	json_put_text(o, "arch", m->arch);
	json_put_text(o, "cpu", m->cpu_model);
	json_put_text(o, "microcode", m->microcode);
	json_put_text(o, "governor", m->governor);
	json_put_text(o, "clocksource", m->clocksource);
	json_put_text(o, "hypervisor", m->hypervisor);
	json_put_text(o, "boot_id", m->boot_id);
	json_put_fact(o, "cpus_online", m->cpus_online);
	json_put_fact(o, "smt", m->smt);
	json_put_fact(o, "turbo", m->turbo);
	json_put_fact(o, "aslr", m->aslr);
	/* -1 is a level of its own, and "not known" as well: both are null. */
	json_put_fact(o, "perf_event_paranoid", m->paranoid);
	json_put_fact(o, "memory", m->memory);
	json_out_close(o, '}');
}

static void put_plan(struct json_out *o, const struct record_plan *p)
{
	if (!p) {
		json_put_text(o, "plan", NULL);
		return;
	}
	json_put_open(o, "plan", '{');
	json_put_count(o, "seed", p->seed);
	json_put_count(o, "blocks", p->blocks);
	json_put_text(o, "stopped",
		      p->stopped == STOPPED_NOT ? NULL : stop_reason_token(p->stopped));
	json_put_count(o, "warmup", p->warmup);
	json_put_count(o, "max_blocks", p->max_blocks);
	json_put_bool(o, "fixed", p->fixed);
	json_put_bool(o, "interleaved", p->interleaved);
	json_put_number(o, "alpha", p->alpha);
	json_put_number(o, "margin", p->margin);
	json_put_number(o, "gate", p->gate);
	json_put_number(o, "precision", p->precision);
	json_put_number(o, "max_time", p->max_time_ns ? (double)p->max_time_ns / 1e9 : NAN);
	json_put_count(o, "groups", (uint64_t)(p->groups > 0 ? p->groups : 0));
	json_put_bool(o, "multiplexed", p->multiplexed);
	json_put_text(o, "layout", p->layout_block ? "block" : "aslr");
	json_out_close(o, '}');
}

static void put_interval(struct json_out *o, const char *key, const struct interval *i)
{
	json_put_open(o, key, '{');
	json_put_number(o, "low", i->low);
	json_put_number(o, "high", i->high);
	json_put_number(o, "level", i->level);
	json_out_close(o, '}');
}

static void put_cell(struct json_out *o, const struct report_metric *m, const struct report_cell *c)
{
	json_put_open(o, NULL, '{');
	json_put_text(o, "name", m->name);
	json_put_text(o, "event", m->event ? m->event : m->name);
	json_put_text(o, "unit", m->unit);
	json_put_count(o, "n", c->n);
	json_put_number(o, "mean", c->n ? c->mean : NAN);
	json_put_number(o, "sd", c->n ? c->sd : NAN);
	json_put_number(o, "sem_percent", c->n ? c->sem_percent : NAN);
	json_put_number(o, "median", c->n ? c->median : NAN);
	json_put_number(o, "min", c->n ? c->min : NAN);
	json_put_number(o, "max", c->n ? c->max : NAN);
	put_interval(o, "ci", &c->ci);
	json_put_number(o, "running_percent", c->n ? c->running_percent : NAN);
	if (c->upper_bound)
		json_put_bool(o, "upper_bound", true);
	if (m->formula)
		json_put_text(o, "formula", m->formula);
	if (m->source == METRIC_SCOPE) {
		json_put_text(o, "scope", m->scope);
		json_put_text(o, "part", scope_part_word(m->part));
		json_put_text(o, "of", m->of);
	}
	if (m->on_cpu)
		json_put_count(o, "cpu", (uint64_t)m->cpu);
	if (m->probed)
		json_put_bool(o, "probed", true);
	json_put_text(o, "reason", c->reason);
	json_out_close(o, '}');
}

static void put_variant(struct json_out *o, FILE *out, const struct report *r, size_t variant)
{
	const struct report_variant *v = &r->variants[variant];

	json_put_open(o, NULL, '{');
	json_put_text(o, "name", v->name);
	json_put_text(o, "command", v->command);
	if (v->argv) {
		json_put_open(o, "argv", '[');
		for (size_t i = 0; v->argv[i]; i++)
			json_put_text(o, NULL, v->argv[i]);
		json_out_close(o, ']');
	} else {
		json_put_text(o, "argv", NULL);
	}
	json_put_count(o, "runs", v->runs);
	json_put_count(o, "failed", v->failed);
	json_put_probing(o, r, v);
	json_put_open(o, "metrics", '[');
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
	json_put_open(o, "change", '{');
	json_put_text(o, "unit", c->absolute ? m->unit : "ratio");
	json_put_bool(o, "absolute", c->absolute);
	json_put_number(o, "estimate", c->estimate);
	json_put_number(o, "low", c->low);
	json_put_number(o, "high", c->high);
	json_put_number(o, "level", c->level);
	json_put_text(o, "method", c->method == METHOD_NONE ? NULL : change_method_word(c->method));
	if (isinf(c->low) || isinf(c->high))
		json_put_text(o, "reason", "the interval has no end on the side that is null");
	json_out_close(o, '}');
}

static void put_tests(struct json_out *o, const struct report_change *c)
{
	json_put_number(o, "p", c->p);
	json_put_number(o, "p_adjusted", c->p_adjusted);
	json_put_number(o, "alpha", c->alpha);
	json_put_open(o, "welch", '{');
	json_put_number(o, "estimate", c->welch.estimate);
	json_put_number(o, "low", c->welch.low);
	json_put_number(o, "high", c->welch.high);
	json_put_number(o, "level", c->welch.level);
	json_put_number(o, "t", c->welch.t);
	json_put_number(o, "df", c->welch.df);
	json_put_number(o, "p", c->welch.p);
	if (isinf(c->welch.low) || isinf(c->welch.high) || isinf(c->welch.t))
		json_put_text(o, "reason", "not bounded where it is null");
	json_out_close(o, '}');
	json_put_open(o, "equivalence", '{');
	json_put_number(o, "margin", c->equivalence.margin);
	json_put_number(o, "low", c->equivalence.low);
	json_put_number(o, "high", c->equivalence.high);
	json_put_number(o, "level", c->equivalence.level);
	json_put_number(o, "p", c->equivalence.p);
	json_out_close(o, '}');
}

static void put_metric(struct json_out *o, const struct report_metric *m,
		       const struct report_change *c)
{
	json_put_open(o, NULL, '{');
	json_put_text(o, "name", m->name);
	json_put_text(o, "event", m->event ? m->event : m->name);
	json_put_text(o, "unit", m->unit);
	json_put_bool(o, "primary", m->primary);
	json_put_count(o, "n", c->n);
	json_put_count(o, "n_baseline", c->n_baseline);
	json_put_count(o, "n_variant", c->n_variant);
	json_put_text(o, "direction", direction_token(m->direction));
	put_change(o, m, c);
	put_tests(o, c);
	json_put_number(o, "ruled_out_above", c->ruled_out_above);
	json_put_number(o, "smallest_visible", c->smallest_visible);
	json_put_number(o, "runs_needed", c->runs_needed);
	json_put_bool(o, "within_margin", c->within_margin);
	json_put_bool(o, "low_n", c->low_n);
	json_put_bool(o, "disagree", c->disagree);
	json_put_text(o, "verdict", c->verdict == VERDICT_NONE ? NULL : verdict_word(c->verdict));
	json_put_text(o, "reason", c->reason);
	json_out_close(o, '}');
}

static void put_gate(struct json_out *o, const struct report_comparison *c)
{
	if (c->gate == GATE_NONE) {
		json_put_text(o, "gate", NULL);
		return;
	}
	json_put_open(o, "gate", '{');
	json_put_text(o, "metric", c->gate_metric);
	json_put_number(o, "margin", c->gate_margin);
	json_put_number(o, "p_worse", c->gate_p_worse);
	json_put_number(o, "p_ruled_out", c->gate_p_ruled_out);
	json_put_text(o, "result", gate_result_word(c->gate));
	json_out_close(o, '}');
}

static void put_heterogeneity(struct json_out *o, const struct report_comparison *c)
{
	json_put_open(o, "heterogeneity", '{');
	json_put_count(o, "machines", c->heterogeneity.machines);
	json_put_number(o, "q", c->heterogeneity.q);
	json_put_number(o, "p", c->heterogeneity.p);
	json_put_number(o, "i2", c->heterogeneity.i2);
	json_put_number(o, "tau2", c->heterogeneity.tau2);
	json_out_close(o, '}');
}

static void put_comparison(struct json_out *o, FILE *out, const struct report *r,
			   const struct report_comparison *c)
{
	json_put_open(o, NULL, '{');
	json_put_text(o, "baseline", r->variants[c->baseline].name);
	json_put_text(o, "variant", r->variants[c->variant].name);
	json_put_bool(o, "interleaved", c->interleaved);
	json_put_text(o, "boots", boots_word(c->boots));
	json_put_open(o, "metrics", '[');
	for (size_t i = 0; i < r->n_metrics; i++) {
		next_line(o, out);
		put_metric(o, &r->metrics[i], &c->changes[i]);
	}
	json_out_close(o, ']');
	json_put_moved(o, c);
	json_put_text(o, "verdict", c->verdict == VERDICT_NONE ? NULL : verdict_word(c->verdict));
	put_gate(o, c);
	if (c->heterogeneity.machines)
		put_heterogeneity(o, c);
	json_put_text(o, "sentence", c->sentence);
	json_out_close(o, '}');
}

static void put_warnings(struct json_out *o, FILE *out, const struct report *r)
{
	json_put_open(o, "warnings", '[');
	for (size_t i = 0; i < r->n_warnings; i++) {
		next_line(o, out);
		json_put_open(o, NULL, '{');
		json_put_text(o, "code", r->warnings[i].code);
		json_put_text(o, "metric", r->warnings[i].metric);
		json_put_text(o, "text", r->warnings[i].text);
		json_out_close(o, '}');
	}
	json_out_close(o, ']');
	next_line(o, out);
	json_put_open(o, "notes", '[');
	for (size_t i = 0; r->record && i < r->record->n_notes; i++) {
		next_line(o, out);
		json_put_text(o, NULL, r->record->notes[i]);
	}
	json_out_close(o, ']');
}

static void put_report(struct json_out *o, FILE *out, const struct report *r)
{
	json_out_open(o, '{');
	json_put_text(o, "schema", "abstat-report/1");
	json_put_text(o, "abstat", abstat_version);
	json_put_count(o, "status", (uint64_t)r->status);
	json_put_text(o, "error", r->error);
	next_line(o, out);
	put_host(o, "host", r->record ? &r->record->machine : NULL);
	next_line(o, out);
	put_plan(o, r->record ? &r->record->plan : NULL);
	next_line(o, out);
	json_put_open(o, "variants", '[');
	for (size_t i = 0; i < r->n_variants; i++) {
		next_line(o, out);
		put_variant(o, out, r, i);
	}
	json_out_close(o, ']');
	next_line(o, out);
	json_put_open(o, "comparisons", '[');
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
