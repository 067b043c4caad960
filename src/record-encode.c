/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The lines of a record file, encoded: abstat-record(5) describes each field.
 *
 * What a run does not have is left out of its line; the order of the fields is fixed, so that the
 * same data give the same bytes.
 */
#include "record-encode.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "json-put.h"
#include "record-file.h"

static void key_flag(struct json_out *o, const char *key, int value)
{
	json_out_key(o, key);
	if (value < 0)
		json_out_null(o);
	else
		json_out_bool(o, value);
}

/* A word that is not UTF-8 must come back as it was: {"hex":"66ff"}. */
static void word(struct json_out *o, const char *s)
{
	static const char digits[] = "0123456789abcdef";
	size_t len = strlen(s), i = 0, n = 1;
	char *hex;

	while (i < len && (n = utf8_length(s + i, len - i)))
		i += n;
	if (n) {
		json_out_string(o, s);
		return;
	}
	hex = malloc(len * 2 + 1);
	if (!hex) {
		o->failed = true;
		return;
	}
	for (i = 0; i < len; i++) {
		hex[2 * i] = digits[(unsigned char)s[i] >> 4];
		hex[2 * i + 1] = digits[s[i] & 15];
	}
	hex[2 * len] = '\0';
	json_out_open(o, '{');
	json_put_text(o, "hex", hex);
	json_out_close(o, '}');
	free(hex);
}

static void key_words(struct json_out *o, const char *key, char *const *words)
{
	json_out_key(o, key);
	if (!words) {
		json_out_null(o);
		return;
	}
	json_out_open(o, '[');
	for (; *words; words++)
		word(o, *words);
	json_out_close(o, ']');
}

static void key_notes(struct json_out *o, char *const *notes, size_t n)
{
	json_put_open(o, "notes", '[');
	for (size_t i = 0; i < n; i++)
		json_out_string(o, notes[i]);
	json_out_close(o, ']');
}

static void encode_host(struct json_out *o, const struct machine *m)
{
	json_put_open(o, "host", '{');
	json_put_text(o, "hostname", m->hostname);
	json_put_text(o, "kernel", m->kernel);
	json_put_text(o, "cmdline", m->cmdline);
	json_put_text(o, "arch", m->arch);
	json_put_text(o, "cpu_model", m->cpu_model);
	json_put_text(o, "microcode", m->microcode);
	json_put_text(o, "governor", m->governor);
	json_put_text(o, "clocksource", m->clocksource);
	json_put_text(o, "boot_id", m->boot_id);
	json_put_text(o, "hypervisor", m->hypervisor);
	json_put_fact(o, "cpus_online", m->cpus_online);
	key_flag(o, "smt", m->smt);
	key_flag(o, "turbo", m->turbo);
	json_put_fact(o, "aslr", m->aslr);
	json_out_key(o, "paranoid");
	json_out_i64(o, m->paranoid);
	json_put_fact(o, "memory", m->memory);
	json_out_close(o, '}');
}

static void encode_metric(struct json_out *o, const struct metric *m)
{
	json_out_open(o, '{');
	json_put_text(o, "name", m->name);
	json_put_text(o, "event", m->event);
	json_put_text(o, "unit", m->unit);
	json_put_text(o, "direction", direction_token(m->direction));
	json_put_text(o, "source", metric_source_token(m->source));
	if (m->formula)
		json_put_text(o, metric_formula_key(m->source), m->formula);
	if (m->scope) {
		json_put_text(o, "scope", m->scope);
		json_put_text(o, "part", scope_part_word(m->part));
	}
	if (m->of)
		json_put_text(o, "of", m->of);
	if (m->cpu >= 0)
		json_put_count(o, "cpu", (uint64_t)m->cpu);
	if (m->probed)
		key_flag(o, "probed", true);
	if (m->source == METRIC_COUNTER)
		json_put_number(o, "scale", m->scale);
	if (m->group >= 0)
		json_put_count(o, "group", (uint64_t)m->group);
	if (m->note) {
		json_put_text(o, "beside", m->beside);
		json_put_text(o, "note", m->note);
	}
	if (!m->shown) {
		json_put_bool(o, "shown", false);
	}
	if (!isnan(m->margin))
		json_put_number(o, "margin", m->margin);
	if (m->reason)
		json_put_text(o, "reason", m->reason);
	json_out_close(o, '}');
}

static void encode_variant(struct json_out *o, const struct record_variant *v)
{
	json_out_open(o, '{');
	json_put_text(o, "name", v->name);
	json_put_text(o, "command", v->command);
	key_words(o, "argv", v->argv);
	json_out_close(o, '}');
}

void record_encode_header(struct json_out *o, const struct record *r, size_t n_notes)
{
	char text[UTC_SIZE];

	json_out_open(o, '{');
	json_put_count(o, RECORD_KEY, RECORD_VERSION);
	json_put_text(o, "abstat", r->version);
	utc_format(text, r->start_ns);
	json_put_text(o, "start", r->start_ns ? text : NULL);
	/* Most readers of JSON hold numbers in a double; a seed has 64 bits. */
	snprintf(text, sizeof(text), "%" PRIu64, r->plan.seed);
	json_put_text(o, "seed", text);
	key_words(o, "arguments", r->arguments);
	json_out_key(o, "cwd");
	if (r->cwd)
		word(o, r->cwd);
	else
		json_out_null(o);
	key_words(o, "environment", r->environment);
	encode_host(o, &r->machine);
	json_put_open(o, "metrics", '[');
	for (size_t i = 0; i < r->metrics.n; i++)
		encode_metric(o, &r->metrics.v[i]);
	json_out_close(o, ']');
	json_put_text(o, "primary", r->primary >= 0 ? r->metrics.v[r->primary].name : NULL);
	json_put_open(o, "variants", '[');
	for (size_t i = 0; i < r->n_variants; i++)
		encode_variant(o, &r->variants[i]);
	json_out_close(o, ']');
	key_notes(o, r->notes, n_notes);
	json_out_close(o, '}');
	json_out_newline(o);
}

void record_encode_plan(struct json_out *o, const struct record *r)
{
	const struct record_plan *p = &r->plan;

	json_out_open(o, '{');
	json_put_open(o, "plan", '{');
	json_put_count(o, "warmup", p->warmup);
	json_put_count(o, "first_block", p->first_block);
	json_put_count(o, "min_blocks", p->min_blocks);
	json_put_count(o, "max_blocks", p->max_blocks);
	key_flag(o, "fixed", p->fixed);
	key_flag(o, "interleaved", p->interleaved);
	json_put_open(o, "looks", '[');
	for (size_t i = 0; i < p->n_looks; i++)
		json_out_u64(o, p->looks[i]);
	json_out_close(o, ']');
	json_put_number(o, "alpha", p->alpha);
	json_put_number(o, "margin", p->margin);
	json_put_number(o, "gate", p->gate);
	json_put_number(o, "precision", p->precision);
	json_put_count(o, "max_time_ns", p->max_time_ns);
	json_put_count(o, "groups", (uint64_t)p->groups);
	key_flag(o, "multiplexed", p->multiplexed);
	json_put_text(o, "layout", p->layout_block ? "block" : "aslr");
	json_out_close(o, '}');
	json_out_close(o, '}');
	json_out_newline(o);
}

static void encode_reading(struct json_out *o, const struct reading *v)
{
	bool counted = v->enabled || v->running, valued = !v->reason && isfinite(v->value);

	if (valued && !counted) {
		json_out_number(o, v->value);
		return;
	}
	json_out_open(o, '[');
	if (valued)
		json_out_number(o, v->value);
	else
		json_out_string(
		    o, null_reason_token(v->reason ? (enum null_reason)v->reason : NULL_UNKNOWN));
	if (counted) {
		json_out_u64(o, v->enabled);
		json_out_u64(o, v->running);
	}
	json_out_close(o, ']');
}

void record_encode_run(struct json_out *o, const struct record *r, const struct record_run *run,
		       const struct reading *readings)
{
	json_out_open(o, '{');
	json_put_count(o, "block", run->block);
	json_put_count(o, "variant", run->variant);
	json_put_count(o, "order", run->position);
	if (run->warmup)
		key_flag(o, "warmup", true);
	if (run->probed)
		key_flag(o, "probed", true);
	if (run->group >= 0)
		json_put_count(o, "group", (uint64_t)run->group);
	json_put_count(o, "start_ns", run->start_ns);
	json_put_count(o, "duration_ns", run->duration_ns);
	json_put_text(o, "outcome", run_outcome_token((enum run_outcome)run->outcome));
	json_out_key(o, "status");
	json_out_i64(o, run->status);
	if (run->cpu >= 0)
		json_put_count(o, "cpu", (uint64_t)run->cpu);
	if (run->frequency >= 0)
		json_put_count(o, "frequency", (uint64_t)run->frequency);
	if (run->migrations >= 0)
		json_put_count(o, "migrations", (uint64_t)run->migrations);
	if (run->switches >= 0)
		json_put_count(o, "switches", (uint64_t)run->switches);
	if (run->rss_upper_bound)
		key_flag(o, "max_rss_at_most", true);
	if (run->stragglers)
		json_put_count(o, "stragglers", run->stragglers);
	if (run->stragglers_killed)
		json_put_count(o, "stragglers_killed", run->stragglers_killed);
	json_put_open(o, "readings", '[');
	for (size_t i = 0; i < r->metrics.n; i++)
		encode_reading(o, &readings[i]);
	json_out_close(o, ']');
	json_out_close(o, '}');
	json_out_newline(o);
}

void record_encode_resumed(struct json_out *o, const char *boot_id, uint64_t now_ns,
			   int64_t discarded)
{
	char text[UTC_SIZE];

	utc_format(text, now_ns);
	json_out_open(o, '{');
	json_put_text(o, "resumed", text);
	json_put_text(o, "boot_id", boot_id);
	if (discarded >= 0)
		json_put_count(o, "discarded_block", (uint64_t)discarded);
	json_out_close(o, '}');
	json_out_newline(o);
}

void record_encode_end(struct json_out *o, const struct record *r, size_t n_runs, size_t first_note)
{
	json_out_open(o, '{');
	json_put_open(o, "end", '{');
	json_put_text(o, "stopped", stop_reason_token(r->plan.stopped));
	json_put_count(o, "blocks", r->plan.blocks);
	json_put_count(o, "runs", n_runs);
	key_flag(o, "last_look_spends_all", r->plan.last_look_spends_all);
	key_notes(o, r->notes + first_note, r->n_notes - first_note);
	json_out_close(o, '}');
	json_out_close(o, '}');
	json_out_newline(o);
}
