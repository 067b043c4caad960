/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Record files: what is written comes back, and what is broken is said to be. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "event.h"
#include "record-read.h"
#include "record-write.h"

static char directory[] = "/tmp/abstat-record-XXXXXX";

static char *path_of(const char *name)
{
	static char path[200];

	snprintf(path, sizeof(path), "%s/%s", directory, name);
	return path;
}

static char *slurp(const char *path, size_t *len)
{
	FILE *f = fopen(path, "r");
	char *data = calloc(1, 1 << 20);

	assert_non_null(f);
	*len = fread(data, 1, (1 << 20) - 1, f);
	fclose(f);
	return data;
}

static void add_metric(struct record *r, const char *name, enum metric_source source)
{
	struct metric *m = metric_append(&r->metrics);

	m->name = strdup(name);
	m->event = strdup(name);
	m->unit = strdup(source == METRIC_TOOL ? "ns" : "");
	m->source = source;
	m->direction = DIRECTION_LOWER;
	m->group = source == METRIC_COUNTER ? 0 : -1;
	m->slot = -1;
	m->scale = 1;
	m->shown = source != METRIC_COUNTER;
	m->formula = source == METRIC_EXPR ? strdup("a / b") : NULL;
	m->note = source == METRIC_EXPR ? "insn per cycle" : NULL;
	m->beside = source == METRIC_EXPR ? strdup("cycles:u") : NULL;
}

static char **words(const char *a, const char *b)
{
	char **w = calloc(3, sizeof(*w));

	w[0] = strdup(a);
	w[1] = b ? strdup(b) : NULL;
	return w;
}

static void sample(struct record *r)
{
	record_init(r);
	r->version = strdup("0.1.0");
	r->start_ns = 1796046467123456789u;
	r->cwd = strdup("/tmp/a \xff\xfe");
	r->arguments = words("compare", "\"./a\"\n");
	r->environment = words("LC_ALL=C", NULL);
	r->machine.kernel = strdup("6.18 \"quoted\" \t");
	r->machine.cpu_model = strdup("Zen\xc3\xa9 \xc3");
	r->machine.boot_id = strdup("b");
	r->machine.cpus_online = 2;
	r->machine.smt = 0;
	r->machine.paranoid = -1;
	r->plan = (struct record_plan){.seed = UINT64_MAX,
				       .warmup = 1,
				       .first_block = 1,
				       .min_blocks = 7,
				       .max_blocks = 50,
				       .interleaved = true,
				       .alpha = 0.05,
				       .margin = 1.0 / 3,
				       .gate = NAN,
				       .precision = 0.005,
				       .groups = 2,
				       .stopped = STOPPED_VERDICT,
				       .blocks = 2,
				       .n_looks = 2};
	r->plan.looks = calloc(2, sizeof(*r->plan.looks));
	r->plan.looks[0] = 10;
	r->plan.looks[1] = 50;
	add_metric(r, "cycles:u", METRIC_COUNTER);
	add_metric(r, "duration_time", METRIC_TOOL);
	add_metric(r, "ratio", METRIC_EXPR);
	r->primary = 1;
	record_add_variant(r, "A", "./a")->argv = words("./a", "\xff x");
	record_add_variant(r, "B", NULL);
	record_note(r, "a note of the header");
}

static void sample_run(const struct record *r, size_t i, struct record_run *run, struct reading *v)
{
	*run = (struct record_run){.block = (uint32_t)(i / 2),
				   .variant = (uint16_t)(i % 2),
				   .position = (uint16_t)((i + 1) % 2),
				   .group = (int16_t)(i % 3) - 1,
				   .outcome = i == 5 ? RUN_SIGNAL : RUN_OK,
				   .status = i == 5 ? 11 : 0,
				   .warmup = i < 2,
				   .rss_upper_bound = i == 4,
				   .cpu = (int32_t)(i % 2) - 1,
				   .start_ns = i * 1000003,
				   .duration_ns = 999983 + i,
				   .frequency = i ? 3000000000 : -1,
				   .migrations = -1,
				   .switches = (int64_t)i};
	v[0] = (struct reading){.value = 1e9 + (double)i / 3, .enabled = 1000, .running = 500};
	if (i == 3)
		v[0] = (struct reading){
		    .value = NAN, .enabled = 77, .running = 0, .reason = NULL_NOT_COUNTED};
	v[1] = (struct reading){.value = 999983.0 + (double)i};
	v[2] = (struct reading){.value = NAN, .reason = NULL_DIVISION};
	if (i == 4)
		v[2] = (struct reading){.value = -1.25e-300};
	(void)r;
}

/* Writes N runs as measuring does. */
static void measure(struct record *r, const char *path, size_t n)
{
	char err[300] = "";
	struct record_writer *w;

	sample(r);
	w = record_writer_open(path, false, r, err, sizeof(err));
	if (!w)
		fail_msg("%s", err);
	for (size_t i = 0; i < n; i++) {
		struct record_run run;
		struct reading v[3];

		if (i == 2)
			assert_int_equal(record_writer_plan(w, err, sizeof(err)), 0);
		sample_run(r, i, &run, v);
		assert_int_equal(record_append(r, &run, v), 0);
		assert_int_equal(record_writer_run(w, &run, v, err, sizeof(err)), 0);
	}
	record_note(r, "a note of the end");
	assert_int_equal(record_writer_close(w, err, sizeof(err)), 0);
}

static int read_path(const char *path, struct record *r, char *err, size_t err_size)
{
	struct line_reader *lines = line_reader_open(path, err, err_size);
	int rc;

	assert_non_null(lines);
	record_init(r);
	rc = record_read(lines, "FILE", r, err, err_size);
	line_reader_free(lines);
	return rc;
}

static int read_text(const char *text, size_t len, struct record *r, char *err, size_t err_size)
{
	struct line_reader *lines = line_reader_open_memory(text, len);
	int rc;

	record_init(r);
	rc = record_read(lines, "FILE", r, err, err_size);
	line_reader_free(lines);
	return rc;
}

static void assert_same_run(const struct record_run *a, const struct record_run *b)
{
	assert_int_equal(a->block, b->block);
	assert_int_equal(a->variant, b->variant);
	assert_int_equal(a->position, b->position);
	assert_int_equal(a->group, b->group);
	assert_int_equal(a->outcome, b->outcome);
	assert_int_equal(a->status, b->status);
	assert_int_equal(a->warmup, b->warmup);
	assert_int_equal(a->rss_upper_bound, b->rss_upper_bound);
	assert_int_equal(a->cpu, b->cpu);
	assert_int_equal(a->stragglers, b->stragglers);
	assert_int_equal(a->stragglers_killed, b->stragglers_killed);
	assert_int_equal(a->start_ns, b->start_ns);
	assert_int_equal(a->duration_ns, b->duration_ns);
	assert_int_equal(a->frequency, b->frequency);
	assert_int_equal(a->migrations, b->migrations);
	assert_int_equal(a->switches, b->switches);
}

static void comes_back_byte_for_byte(void **state)
{
	struct record a, b;
	char err[300], *before, *after;
	size_t len, len_after;
	int fd;

	(void)state;
	measure(&a, path_of("whole"), 6);
	if (read_path(path_of("whole"), &b, err, sizeof(err)))
		fail_msg("%s", err);
	assert_true(b.complete);
	assert_int_equal(b.n_runs, 6);
	assert_true(b.plan.seed == UINT64_MAX);
	assert_int_equal(b.plan.stopped, STOPPED_VERDICT);
	assert_int_equal(b.n_notes, 2);
	assert_string_equal(b.cwd, a.cwd);
	assert_int_equal(b.metrics.v[1].slot, TOOL_DURATION_TIME);
	assert_string_equal(b.metrics.v[2].note, "insn per cycle");
	assert_string_equal(b.variants[0].argv[1], "\xff x");
	for (size_t i = 0; i < 6; i++)
		assert_same_run(&a.runs[i], &b.runs[i]);
	assert_true(record_reading(&b, 0, 0)->value == 1e9);
	assert_true(record_reading(&b, 1, 0)->value == 1e9 + 1.0 / 3);
	assert_int_equal(record_reading(&b, 3, 0)->reason, NULL_NOT_COUNTED);
	assert_int_equal(record_reading(&b, 3, 0)->enabled, 77);
	before = slurp(path_of("whole"), &len);
	fd = open(path_of("again"), O_WRONLY | O_CREAT | O_TRUNC, 0600);
	assert_int_equal(record_write_whole(fd, &b), 0);
	close(fd);
	after = slurp(path_of("again"), &len_after);
	assert_int_equal(len, len_after);
	assert_memory_equal(before, after, len);
	free(before);
	free(after);
	record_release(&a);
	record_release(&b);
}

static void add_scope_metric(struct record *r, const char *name, enum scope_part part, const char *of)
{
	struct metric *m;

	add_metric(r, name, METRIC_SCOPE);
	m = &r->metrics.v[r->metrics.n - 1];
	m->scope = strdup("alloc");
	m->part = part;
	m->of = of ? strdup(of) : NULL;
	m->probed = true;
}

/* What is of scopes, and which runs were probed; a file may lack what makes a metric one of a scope. */
static void scopes_come_back(void **state)
{
	struct record a, b;
	struct record_writer *w;
	char err[300] = "", *text, *part;
	size_t len;

	(void)state;
	sample(&a);
	a.plan.stopped = STOPPED_NOT;
	add_scope_metric(&a, "alloc/calls", PART_CALLS, NULL);
	add_scope_metric(&a, "alloc/cycles:u.total", PART_TOTAL, "cycles:u");
	a.metrics.v[4].cpu = 7;
	assert_int_equal(record_block_runs(&a), 4);
	w = record_writer_open(path_of("scopes"), true, &a, err, sizeof(err));
	assert_non_null(w);
	for (size_t i = 0; i < 8; i++) {
		struct record_run run = {.block = (uint32_t)i / 4,
					 .variant = i % 2,
					 .probed = i % 4 >= 2,
					 .group = -1,
					 .cpu = -1};
		struct reading v[5] = {{.value = 1}, {.value = 2}, {.value = 3}};

		v[3] = (struct reading){.value = NAN, .reason = NULL_BARE};
		v[4] = (struct reading){.value = NAN, .reason = NULL_CALLS_LOST};
		assert_int_equal(record_writer_run(w, &run, v, err, sizeof(err)), 0);
	}
	record_writer_free(w);
	text = slurp(path_of("scopes"), &len);
	assert_int_equal(read_text(text, len, &b, err, sizeof(err)), 0);
	assert_int_equal(b.plan.blocks, 2);
	assert_false(b.runs[1].probed);
	assert_true(b.runs[2].probed);
	assert_int_equal(record_reading(&b, 0, 3)->reason, NULL_BARE);
	assert_int_equal(record_reading(&b, 0, 4)->reason, NULL_CALLS_LOST);
	assert_false(b.metrics.v[0].probed);
	assert_int_equal(b.metrics.v[4].source, METRIC_SCOPE);
	assert_int_equal(b.metrics.v[4].part, PART_TOTAL);
	assert_string_equal(b.metrics.v[4].scope, "alloc");
	assert_string_equal(b.metrics.v[4].of, "cycles:u");
	assert_int_equal(b.metrics.v[4].cpu, 7);
	assert_int_equal(b.metrics.v[3].cpu, -1);
	assert_true(b.metrics.v[4].probed);
	record_release(&b);
	part = strstr(text, "\"part\":\"total\"");
	assert_non_null(part);
	memcpy(part, "\"part\":\"nosuc\"", 14);
	assert_int_equal(read_text(text, len, &b, err, sizeof(err)), 0);
	assert_int_equal(b.metrics.v[4].source, METRIC_IMPORT);
	record_release(&b);
	record_release(&a);
	free(text);
}

/* Wherever abstat is killed, the runs that are whole are read. */
static void is_read_when_cut_anywhere(void **state)
{
	struct record a, b;
	char err[300], *text;
	size_t len, header, lines = 0;

	(void)state;
	measure(&a, path_of("cut"), 6);
	text = slurp(path_of("cut"), &len);
	header = (size_t)(strchr(text, '\n') - text);
	for (size_t cut = 1; cut < len; cut++) {
		int rc = read_text(text, cut, &b, err, sizeof(err));

		lines += text[cut - 1] == '\n';
		if (cut < header) {
			assert_int_equal(rc, -EINVAL);
			assert_string_equal(
			    err, "FILE is cut short in its first line: there are no runs "
				 "in it");
		} else if (rc) {
			fail_msg("cut at %zu: %s", cut, err);
		} else {
			/* The header and the plan are no runs. */
			size_t runs = lines < 2 ? 0 : lines - 1 - (lines > 3);

			assert_in_range(b.n_runs, runs, runs + 1);
			assert_int_equal(b.complete, text[cut] == '\n' && lines == 8);
		}
		record_release(&b);
	}
	free(text);
	record_release(&a);
}

static void is_resumed(void **state)
{
	struct record a, b;
	char err[300], *text;
	size_t len;

	(void)state;
	measure(&a, path_of("resume"), 6);
	text = slurp(path_of("resume"), &len);
	/* In the middle of the last run; just before its newline; before the closing line. */
	for (size_t back = 0; back < 3; back++) {
		char *end = memrchr(text, '\n', len - 1);
		size_t cut = (size_t)(end - text) + 1 - (back ? back == 1 ? 20 : 1 : 0);
		size_t runs = back == 1 ? 5 : 6;
		struct record_writer *w;
		struct record_run run;
		struct reading v[3];

		assert_int_equal(truncate(path_of("resume"), 0), 0);
		int fd = open(path_of("resume"), O_WRONLY);
		assert_int_equal(write(fd, text, cut), cut);
		close(fd);
		assert_int_equal(read_path(path_of("resume"), &b, err, sizeof(err)), 0);
		assert_int_equal(b.n_runs, runs);
		free(b.machine.boot_id);
		b.machine.boot_id = strdup("another");
		w = record_writer_resume(path_of("resume"), &b, 1796046467000000000u, 2, err, sizeof(err));
		assert_non_null(w);
		sample_run(&b, 5, &run, v);
		assert_int_equal(record_append(&b, &run, v), 0);
		assert_int_equal(record_writer_run(w, &run, v, err, sizeof(err)), 0);
		assert_int_equal(record_writer_close(w, err, sizeof(err)), 0);
		record_release(&b);
		if (read_path(path_of("resume"), &b, err, sizeof(err)))
			fail_msg("%s", err);
		assert_true(b.complete);
		assert_int_equal(b.n_runs, runs + 1);
		assert_non_null(strstr(b.notes[1], "resumed 2026-"));
		assert_non_null(strstr(b.notes[1], "after a reboot"));
		record_release(&b);
	}
	free(text);
	record_release(&a);
}

static void refuses_stale(const char *path, const struct record *stale)
{
	size_t len, len_after;
	char err[300] = "", *before = slurp(path, &len), *after;

	assert_null(record_writer_resume(path, stale, 1, -1, err, sizeof(err)));
	assert_non_null(strstr(err, "another abstat went on with it"));
	after = slurp(path, &len_after);
	assert_int_equal(len, len_after);
	assert_memory_equal(before, after, len);
	free(before);
	free(after);
}

/* Another abstat went on with the file after it was read: nothing of that is cut off. */
static void is_resumed_once(void **state)
{
	const char *path = path_of("once");
	struct record stale, r;
	struct record_run run;
	struct reading v[3];
	struct record_writer *w;
	char err[300], *text;
	size_t len;

	(void)state;
	measure(&stale, path, 6);
	assert_int_not_equal(stale.plan.stopped, STOPPED_INTERRUPT);
	refuses_stale(path, &stale);
	text = slurp(path, &len);
	assert_int_equal(truncate(path, (char *)memrchr(text, '\n', len - 1) - text + 1), 0);
	free(text);
	assert_int_equal(read_path(path, &r, err, sizeof(err)), 0);
	w = record_writer_resume(path, &r, 1, -1, err, sizeof(err));
	assert_non_null(w);
	sample_run(&r, 5, &run, v);
	assert_int_equal(record_append(&r, &run, v), 0);
	assert_int_equal(record_writer_run(w, &run, v, err, sizeof(err)), 0);
	r.plan.stopped = STOPPED_INTERRUPT;
	assert_int_equal(record_writer_close(w, err, sizeof(err)), 0);
	refuses_stale(path, &stale);
	w = record_writer_resume(path, &r, 1, -1, err, sizeof(err));
	assert_non_null(w);
	record_writer_free(w);
	refuses_stale(path, &stale);
	record_release(&r);
	record_release(&stale);
}

static void overwrites_nothing(void **state)
{
	struct record r;
	char err[300];
	struct record_writer *w;
	FILE *f = fopen(path_of("mine"), "w");

	(void)state;
	fputs("precious", f);
	fclose(f);
	sample(&r);
	assert_null(record_writer_open(path_of("mine"), false, &r, err, sizeof(err)));
	assert_non_null(strstr(err, "--force"));
	w = record_writer_open(path_of("mine"), true, &r, err, sizeof(err));
	assert_non_null(w);
	pid_t child = fork();
	int status;

	if (child == 0)
		_exit(record_writer_open(path_of("mine"), true, &r, err, sizeof(err)) ||
		      !strstr(err, "another abstat"));
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(status, 0);
	record_writer_free(w);
	assert_null(record_writer_open("/nonexistent/f", false, &r, err, sizeof(err)));
	assert_string_equal(err, "cannot write to /nonexistent/f: No such file or directory");
	assert_null(record_writer_open("/dev/full", false, &r, err, sizeof(err)));
	assert_string_equal(
	    err, "cannot write to /dev/full: No space left on device; 0 runs are safe in "
		 "it");
	record_release(&r);
}

/* A limit on the file's size stands for a full disk: the write is short, then fails. */
static void says_what_is_safe(void **state)
{
	struct record r, b;
	char err[300] = "", want[300];
	struct record_writer *w;
	struct rlimit before, limit;
	struct record_run run;
	struct reading v[3];
	int rc = 0;
	size_t n = 0;

	(void)state;
	sample(&r);
	getrlimit(RLIMIT_FSIZE, &before);
	w = record_writer_open(path_of("full"), false, &r, err, sizeof(err));
	assert_non_null(w);
	limit = (struct rlimit){4000, before.rlim_max};
	setrlimit(RLIMIT_FSIZE, &limit);
	while (!rc && n < 1000) {
		sample_run(&r, n, &run, v);
		rc = record_writer_run(w, &run, v, err, sizeof(err));
		n += !rc;
	}
	setrlimit(RLIMIT_FSIZE, &before);
	assert_int_equal(rc, -EFBIG);
	assert_true(n > 3);
	snprintf(want, sizeof(want),
		 "cannot write to %s: File too large; the first %zu runs are safe in it",
		 path_of("full"), n);
	assert_string_equal(err, want);
	record_writer_free(w);
	assert_int_equal(read_path(path_of("full"), &b, err, sizeof(err)), 0);
	assert_int_equal(b.n_runs, n);
	assert_non_null(strstr(b.notes[1], "no closing line"));
	record_release(&b);
	record_release(&r);
}

#define HEADER                                                                                     \
	"{\"abstat-record\":1,\"metrics\":[{\"name\":\"t\"}],\"variants\":[{\"name\":\"A\"}]}\n"
#define RUN "{\"block\":0,\"variant\":0,\"outcome\":\"ok\",\"readings\":[1]}\n"

static void says_what_is_wrong(void **state)
{
	static const struct {
		const char *text, *message;
	} rows[] = {
	    {"", "FILE is empty"},
	    {"{\"abstat-record\":2,\"x\":1}\n", "FILE is a record of version 2, written by a newer "
						"abstat; this one reads versions up to "
						"1"},
	    {"{\"abstat-record\":\"1\"}\n",
	     "FILE: line 1: 'abstat-record' is not the number of a version"},
	    {"{\"abstat-record\":1}\n", "FILE: line 1: 'metrics' is not an array"},
	    {"{\"abstat-record\":1,\"metrics\":[]}\n",
	     "FILE: line 1: 'variants' is not an array with something in it"},
	    {"{\"abstat-record\":1,\"metrics\":[{}]}\n",
	     "FILE: line 1: 'name' is not a string with something in it"},
	    {"{\"abstat-record\":1,\"metrics\":[{\"name\":\"t\"},{\"name\":\"t\"}]}\n",
	     "FILE: line 1: 'name' is not there only once"},
	    {"{\"abstat-record\":1,\"metrics\":[{\"name\":\"t\",\"unit\":7}]}\n",
	     "FILE: line 1: 'unit' is not a string"},
	    {"{\"abstat-record\":1,\"seed\":\"18446744073709551616\"}\n",
	     "FILE: line 1: 'seed' is not a whole number below 2^64, as a string"},
	    {HEADER "x\n", "FILE: line 2: '[' or '{' expected near 'x'"},
	    {HEADER RUN "{\"block\":0\n", "FILE: line 3: not a JSON object"},
	    {HEADER "{\"block\":0}\n",
	     "FILE: line 2: a run has a block, a variant, an outcome and readings"},
	    {HEADER "{\"block\":-1,\"variant\":0}\n",
	     "FILE: line 2: 'block' is not a whole number in its range"},
	    {HEADER "{\"block\":1.5}\n",
	     "FILE: line 2: 'block' is not a whole number in its range"},
	    {HEADER "{\"block\":4294967296}\n",
	     "FILE: line 2: 'block' is not a whole number in its range"},
	    {HEADER "{\"block\":0,\"variant\":1,\"outcome\":\"ok\",\"readings\":[1]}\n",
	     "FILE: line 2: there is no such variant in the header"},
	    {HEADER "{\"block\":0,\"outcome\":\"fine\"}\n",
	     "FILE: line 2: 'outcome' is not a word that this version knows"},
	    {HEADER "{\"block\":0,\"readings\":[1,2]}\n",
	     "FILE: line 2: there must be 1 readings, one a metric"},
	    {HEADER "{\"block\":0,\"readings\":[]}\n",
	     "FILE: line 2: there must be 1 readings, one a metric"},
	    {HEADER "{\"block\":0,\"readings\":[NaN]}\n",
	     "FILE: line 2: reading 1 is not a number or [number or reason, enabled, running]"},
	    {HEADER "{\"block\":0,\"readings\":[1e999]}\n",
	     "FILE: line 2: reading 1 is not a number or [number or reason, enabled, running]"},
	    {HEADER RUN "{\"end\":{\"runs\":2}}\n", "FILE: line 3: 'runs' is not the number of "
						    "runs above: lines are missing, or there are "
						    "too many"},
	    {HEADER "{\"end\":{\"runs\":0}}\n" RUN,
	     "FILE: line 3: something follows the closing line"},
	    {HEADER "{\"plan\":{\"looks\":[5,5]}}\n",
	     "FILE: line 2: 'looks' is not made of ascending numbers of blocks"},
	    {HEADER "{\"plan\":{\"alpha\":2}}\n", "FILE: line 2: 'alpha' is not between 0 and 1"},
	};
	struct record r;
	char err[300];

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		assert_true(read_text(rows[i].text, strlen(rows[i].text), &r, err, sizeof(err)) <
			    0);
		assert_string_equal(err, rows[i].message);
		record_release(&r);
	}
}

static void survives_the_hostile(void **state)
{
	struct record r;
	char err[300], nul[] = HEADER "{\"block\":0,\0\"variant\":0}\n", *deep = malloc(200001);
	char crlf[] = "{\"abstat-record\":1,\"metrics\":[],\"variants\":[{\"name\":\"A\"}]}\r\n"
		      "\r\n"
		      "{\"block\":0,\"variant\":0,\"outcome\":\"ok\",\"new\":{\"a\":[1,\"\\\"\"]},"
		      "\"readings\":[]}\r\n"
		      "{\"something\":\"newer\"}\r\n";

	(void)state;
	assert_true(read_text(nul, sizeof(nul) - 1, &r, err, sizeof(err)) < 0);
	record_release(&r);
	assert_int_equal(read_text(crlf, sizeof(crlf) - 1, &r, err, sizeof(err)), 0);
	assert_int_equal(r.n_runs, 1);
	record_release(&r);
	memset(deep, '[', 200000);
	memcpy(deep, "{\"abstat-record\":", 17);
	deep[200000] = '\n';
	assert_true(read_text(deep, 200001, &r, err, sizeof(err)) < 0);
	record_release(&r);
	memcpy(deep, HEADER "{\"block\":", strlen(HEADER) + 9);
	memcpy(deep + strlen(HEADER), "{\"block\":0,\"x\":[", 16);
	assert_true(read_text(deep, 200001, &r, err, sizeof(err)) < 0);
	assert_string_equal(err, "FILE: line 2: not JSON, or nested too deep");
	record_release(&r);
	free(deep);
}

static void refuses_too_many_metrics(void **state)
{
	struct record r;
	char err[300];
	size_t n = 1000000, len = 0, size = n * 32;
	char *text = malloc(size);

	(void)state;
	len += (size_t)snprintf(text + len, size - len, "{\"abstat-record\":1,\"metrics\":[");
	for (size_t i = 0; i < n; i++)
		len += (size_t)snprintf(text + len, size - len, "%s{\"name\":\"m%zu\"}",
					i ? "," : "", i);
	len += (size_t)snprintf(text + len, size - len, "]}\n");
	assert_int_equal(read_text(text, len, &r, err, sizeof(err)), -EINVAL);
	assert_string_equal(err,
			    "FILE: line 1: 'metrics' is not an array of at most 10000 metrics");
	record_release(&r);
	free(text);
}

static int make_directory(void **state)
{
	(void)state;
	return !mkdtemp(directory);
}

static int remove_directory(void **state)
{
	static const char *const names[] = {"whole",  "again", "cut", "scopes",
					     "resume", "once",	"mine", "full"};

	(void)state;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		unlink(path_of(names[i]));
	return rmdir(directory);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(comes_back_byte_for_byte),
	    cmocka_unit_test(scopes_come_back),
	    cmocka_unit_test(is_read_when_cut_anywhere),
	    cmocka_unit_test(is_resumed),
	    cmocka_unit_test(is_resumed_once),
	    cmocka_unit_test(overwrites_nothing),
	    cmocka_unit_test(says_what_is_safe),
	    cmocka_unit_test(says_what_is_wrong),
	    cmocka_unit_test(survives_the_hostile),
	    cmocka_unit_test(refuses_too_many_metrics),
	};

	return cmocka_run_group_tests_name("record", tests, make_directory, remove_directory);
}
