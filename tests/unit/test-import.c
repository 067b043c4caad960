/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What other tools print: numbers, names, units, reasons; and what ends in a message. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "import-number.h"
#include "import.h"

static void load_text_as(struct record *r, const char *text, const struct import_options *options)
{
	char err[500];

	if (record_load_memory(text, strlen(text), "FILE", options, r, err, sizeof(err)))
		fail_msg("%s", err);
}

static void load_text(struct record *r, const char *text)
{
	load_text_as(r, text, NULL);
}

static void load_file(struct record *r, const char *name)
{
	char err[500], path[500];

	snprintf(path, sizeof(path), "%s/%s", DATA_DIR, name);
	if (record_load(path, NULL, r, err, sizeof(err)))
		fail_msg("%s", err);
}

static long metric(const struct record *r, const char *name)
{
	long i = metric_find(&r->metrics, name);

	if (i < 0)
		fail_msg("no metric %s", name);
	return i;
}

static const struct record_summary *summary(const struct record *r, const char *name)
{
	assert_non_null(r->summaries);
	return &r->summaries[metric(r, name)];
}

static double reading(const struct record *r, size_t run, const char *name)
{
	assert_null(r->summaries);
	assert_true(run < r->n_runs);
	return record_reading(r, run, (size_t)metric(r, name))->value;
}

#define assert_near(a, b) assert_true(fabs((a) - (b)) <= 1e-9 * fabs((double)(b)))

static void local_numbers(void **state)
{
	static const struct {
		const char *text;
		bool fraction;
		double value;
	} rows[] = {
	    {"24,344,492,146", false, 24344492146},
	    {"24.344.492.146", false, 24344492146},
	    {"24 344 492 146", false, 24344492146},
	    {"24'344'492'146", false, 24344492146},
	    {"24\xe2\x80\x99"
	     "344",
	     false, 24344},
	    {"24\xc2\xa0"
	     "344\xc2\xa0"
	     "492",
	     false, 24344492},
	    {"24\xe2\x80\xaf"
	     "344\xe2\x80\xaf"
	     "492",
	     false, 24344492},
	    {"24\xe2\x80\x89"
	     "344",
	     false, 24344},
	    {"24\xa0"
	     "344",
	     false, 24344},
	    {"2,43,44,492", false, 24344492},
	    {"1,234", false, 1234},
	    {"1,234", true, 1.234},
	    {"1.234", false, 1234},
	    {"1.234", true, 1.234},
	    {"0.123", false, 0.123},
	    {"0,51", false, 0.51},
	    {"1.234,56", false, 1234.56},
	    {"1,234.567", false, 1234.567},
	    {"1'234.567", false, 1234.567},
	    {"38.232319169", false, 38.232319169},
	    {"1234,567", false, 1234.567},
	    {"-5", false, -5},
	    {"1e+06", false, 1e6},
	    {"1.5e-3", false, 1.5e-3},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const char *end = rows[i].text + strlen(rows[i].text);
		double value = NAN;

		if (local_number_parse(rows[i].text, end, rows[i].fraction, &value, NULL) != end ||
		    value != rows[i].value)
			fail_msg("%s: %g", rows[i].text, value);
	}
}

static void perf_text_of_2009(void **state)
{
	struct record r;

	(void)state;
	load_file(&r, "field/alpha-hlist-noprefetch.perf.txt");
	assert_int_equal(r.n_variants, 1);
	assert_string_equal(r.variants[0].name, "make -j2");
	assert_int_equal(r.metrics.n, 5);
	assert_int_equal(summary(&r, "cycles")->n, 100);
	assert_near(summary(&r, "cycles")->mean, 24344492146.0);
	assert_near(summary(&r, "cycles")->sd, 24344492146.0 * 0.051 / 100 * 10);
	assert_near(summary(&r, "cycles")->running, 0.5045);
	assert_near(summary(&r, "instructions")->mean, 23669009135.0);
	assert_near(summary(&r, "instructions")->sd, 23669009135.0 * 0.023 / 100 * 10);
	assert_near(summary(&r, "r4")->mean, 115385694);
	assert_near(summary(&r, "r4")->running, 0.2567);
	assert_near(summary(&r, "duration_time")->mean, 38232319169.0);
	assert_near(summary(&r, "duration_time")->sd, 38232319169.0 * 0.00956 * 10);
	assert_string_equal(r.metrics.v[4].unit, "ns");
	record_release(&r);
	load_file(&r, "field/alpha-prefetch-null.perf.txt");
	assert_int_equal(summary(&r, "cache-misses")->n, 3);
	assert_near(summary(&r, "cache-misses")->sd, 5137103532.0 * 0.9482 * sqrt(3));
	record_release(&r);
}

static const char today[] =
    "output of the workload: 12 apples\n"
    "\n"
    " Performance counter stats for './a b' (5 runs):\n"
    "\n"
    "          1,234.51 msec task-clock:u              #    0.231 CPUs utilized            ( +- "
    "21.73% )\n"
    "                 0      context-switches          #    0.000 /sec                   \n"
    "                49      page-faults               #   78.598 K/sec                    ( +-  "
    "1.18% )\n"
    "     2,000,004,000      instructions:u            #    1.00  insn per cycle           ( +-  "
    "0.00% )  (62.50%)\n"
    "                                                  #    0.50  stalled cycles per insn  ( +-  "
    "0.10% )\n"
    "   <not supported>      cycles                                                      \n"
    "     <not counted>      branches                                                      "
    "(0.00%)\n"
    "              1.50 Joules power/energy-pkg/                                           ( +-  "
    "2.00% )\n"
    "          12118253 ns   duration_time             #   11.668 G/sec                    ( +-  "
    "1.98% )\n"
    "\n"
    "           0.00222 +- 0.00102 seconds time elapsed  ( +- 45.87% )\n"
    "\n"
    "Some events weren't counted. Try disabling the NMI watchdog:\n";

static void perf_text_of_today(void **state)
{
	struct record r;

	(void)state;
	load_text(&r, today);
	assert_string_equal(r.variants[0].name, "./a b");
	assert_near(summary(&r, "task-clock:u")->mean, 1234.51e6);
	assert_near(summary(&r, "task-clock:u")->sd, 1234.51e6 * 0.2173 * sqrt(5));
	assert_string_equal(r.metrics.v[0].unit, "ns");
	assert_string_equal(r.metrics.v[0].event, "task-clock");
	assert_true(summary(&r, "context-switches")->sd == 0);
	/* 0.00% may be up to half of its last digit. */
	assert_near(summary(&r, "instructions:u")->sd, 2000004000.0 * 0.00005 * sqrt(5));
	assert_near(summary(&r, "instructions:u")->running, 0.625);
	assert_int_equal(summary(&r, "cycles")->reason, NULL_NOT_SUPPORTED);
	assert_int_equal(summary(&r, "cycles")->n, 0);
	assert_int_equal(summary(&r, "branches")->reason, NULL_NOT_COUNTED);
	assert_string_equal(r.metrics.v[metric(&r, "power/energy-pkg/")].unit, "Joules");
	assert_int_equal(r.n_notes, 2);
	assert_non_null(strstr(r.notes[0], "half of its last digit"));
	assert_non_null(strstr(r.notes[1], "1 line"));
	record_release(&r);
}

static void perf_text_of_other_locales(void **state)
{
	struct record r;

	(void)state;
	load_text(&r,
		  " Performance counter stats for 'x' (10 runs):\r\n\r\n"
		  "       1.234,51 msec task-clock    #    0,231 CPUs utilized   ( +-  2,50% )\r\n"
		  "      24.344.492      cycles        #    1,000 GHz   ( +-  0,05% )  (50,45%)\r\n"
		  "           1.234      page-faults   ( +-  1,00% )\r\n"
		  "       0,1234560 +- 0,0000102 seconds time elapsed  ( +-  0,10% )\r\n");
	assert_near(summary(&r, "task-clock")->mean, 1234.51e6);
	assert_near(summary(&r, "cycles")->mean, 24344492);
	assert_near(summary(&r, "cycles")->sd, 24344492 * 0.0005 * sqrt(10));
	assert_near(summary(&r, "cycles")->running, 0.5045);
	assert_near(summary(&r, "page-faults")->mean, 1234);
	assert_near(summary(&r, "duration_time")->mean, 123456000);
	record_release(&r);
}

/* perf stat --append of single runs: they are the runs of one command. */
static void perf_text_appended(void **state)
{
	struct record r;

	(void)state;
	load_text(&r, "# started on Mon\n\n Performance counter stats for 'x':\n\n"
		      "   100      cycles\n       0.001192376 seconds time elapsed\n"
		      "       0.001298000 seconds user\n       0.000000000 seconds sys\n"
		      "# started on Mon\n\n Performance counter stats for 'x':\n\n"
		      "   110      cycles\n       0,002 seconds time elapsed\n"
		      " Performance counter stats for 'y':\n\n   7      cycles\n");
	assert_int_equal(r.n_variants, 2);
	assert_int_equal(r.n_runs, 3);
	assert_near(reading(&r, 0, "cycles"), 100);
	assert_near(reading(&r, 1, "cycles"), 110);
	assert_near(reading(&r, 1, "duration_time"), 2e6);
	assert_near(reading(&r, 0, "user_time"), 1298000);
	assert_true(isnan(reading(&r, 1, "user_time")));
	assert_int_equal(r.runs[2].variant, 1);
	record_release(&r);
}

static void perf_text_by_cpu(void **state)
{
	struct record r;

	(void)state;
	load_text(&r, " Performance counter stats for 'system wide':\n\n"
		      "CPU0       1.48 msec cpu-clock     #    1.018 CPUs utilized\n"
		      "CPU1      1,480      cycles\n"
		      "S0-D0      2      3,000      cycles\n");
	assert_near(reading(&r, 0, "CPU0/cpu-clock"), 1480000);
	assert_near(reading(&r, 0, "CPU1/cycles"), 1480);
	assert_near(reading(&r, 0, "S0-D0/cycles"), 3000);
	record_release(&r);
}

static void perf_csv(void **state)
{
	static const char *const texts[] = {
	    "# started on Mon\n\n0.74,msec,task-clock,7.87%,738355,100.00,0.532,CPUs utilized\n"
	    "47,,page-faults,1.23%,738355,80.00,70.627,K/sec\n"
	    "<not supported>,,cycles,0.00%,0,100.00,,\n"
	    "<not counted>,,cpu/event=0x3c,umask=0/u,0.00%,0,0.00,,\n",
	    "0,74;msec;task-clock;7,87%;738355;100,00;0,532;CPUs utilized\n"
	    "47;;page-faults;1,23%;738355;80,00;70,627;K/sec\n"
	    "<not supported>;;cycles;0,00%;0;100,00;;\n"
	    "<not counted>;;cpu/event=0x3c,umask=0/u;0,00%;0;0,00;;\n",
	};
	struct import_options options = {.runs = 4};

	(void)state;
	for (size_t i = 0; i < 2; i++) {
		struct record r;

		load_text_as(&r, texts[i], &options);
		assert_near(summary(&r, "task-clock")->mean, 740000);
		assert_near(summary(&r, "task-clock")->sd, 740000 * 0.0787 * 2);
		assert_int_equal(summary(&r, "task-clock")->n, 4);
		assert_near(summary(&r, "page-faults")->running, 0.8);
		assert_int_equal(summary(&r, "cycles")->reason, NULL_NOT_SUPPORTED);
		assert_int_equal(summary(&r, "cpu/event=0x3c,umask=0/u")->reason, NULL_NOT_COUNTED);
		assert_int_equal(r.n_notes, 0);
		record_release(&r);
		load_text(&r, texts[i]);
		assert_int_equal(r.n_runs, 1);
		assert_near(reading(&r, 0, "task-clock"), 740000);
		assert_non_null(strstr(r.notes[0], "--runs N"));
		record_release(&r);
	}
}

static void perf_csv_runs(void **state)
{
	struct record r;

	(void)state;
	load_text(&r, "CPU0,1.09,msec,cpu-clock,1089000,100.00,1.0,CPUs utilized\n"
		      "S0,2,3,,cs,1089000,100.00,1.0,\n"
		      "CPU0,2.00,msec,cpu-clock,1089000,100.00,1.0,CPUs utilized\n");
	assert_int_equal(r.n_runs, 2);
	assert_near(reading(&r, 0, "CPU0/cpu-clock"), 1090000);
	assert_near(reading(&r, 1, "CPU0/cpu-clock"), 2000000);
	assert_near(reading(&r, 0, "S0/cs"), 3);
	record_release(&r);
}

static void perf_json(void **state)
{
	struct import_options options = {.runs = 9};
	struct record r;

	(void)state;
	load_text_as(&r,
		     "# started on Mon\n\n"
		     "{\"counter-value\" : \"0.540383\", \"unit\" : \"msec\", \"event\" : "
		     "\"task-clock\", \"variance\" : 9.75, "
		     "\"event-runtime\" : 540383, \"pcnt-running\" : 100.00, \"metric-value\" : "
		     "0.48, \"metric-unit\" : \"x\"}\n"
		     "{\"counter-value\" : \"<not supported>\", \"unit\" : \"\", \"event\" : "
		     "\"cycles\", \"variance\" : 0.00, "
		     "\"event-runtime\" : 0, \"pcnt-running\" : 100.00}\n"
		     "{\"metric-value\" : 1.0, \"metric-unit\" : \"y\"}\n",
		     &options);
	assert_near(summary(&r, "task-clock")->mean, 540383);
	assert_near(summary(&r, "task-clock")->sd, 540383 * 0.0975 * 3);
	assert_int_equal(summary(&r, "cycles")->reason, NULL_NOT_SUPPORTED);
	record_release(&r);
	load_text(&r, "{\"cpu\" : \"1\", \"counter-value\" : \"7.000000\", \"unit\" : \"\", "
		      "\"event\" : \"cs\", "
		      "\"event-runtime\" : 5, \"pcnt-running\" : 50.00}\n");
	assert_near(reading(&r, 0, "CPU1/cs"), 7);
	assert_int_equal(record_reading(&r, 0, 0)->running * 2, record_reading(&r, 0, 0)->enabled);
	record_release(&r);
}

static void hyperfine(void **state)
{
	struct record r;

	(void)state;
	load_text(&r,
		  "{\"results\": [{\"command\": \"a\", \"mean\": 1, \"times\": [0.5, 0.25, 0.125], "
		  "\"exit_codes\": [0, 3, null]},\n"
		  "{\"command\": \"a\", \"times\": [2], \"exit_codes\": [0], "
		  "\"memory_usage_byte\": [4096]}]}");
	assert_int_equal(r.n_variants, 2);
	assert_string_equal(r.variants[1].name, "a#2");
	assert_int_equal(r.n_runs, 4);
	assert_near(reading(&r, 0, "duration_time"), 5e8);
	assert_near(reading(&r, 2, "duration_time"), 1.25e8);
	assert_int_equal(r.runs[1].outcome, RUN_EXIT);
	assert_int_equal(r.runs[1].status, 3);
	assert_int_equal(r.runs[2].outcome, RUN_SIGNAL);
	assert_near(reading(&r, 3, "max_rss"), 4096);
	record_release(&r);
}

static void go_benchmarks(void **state)
{
	struct record r;

	(void)state;
	load_file(&r, "import/go.txt");
	assert_int_equal(r.n_runs, 2);
	assert_near(reading(&r, 0, "Decode/small-8"), 1053);
	assert_near(reading(&r, 1, "Decode/small-8 ns/op"), 1061);
	assert_near(reading(&r, 0, "Decode/small-8 MB/s"), 97.25);
	assert_int_equal(r.metrics.v[metric(&r, "Decode/small-8 MB/s")].direction,
			 DIRECTION_HIGHER);
	assert_int_equal(r.metrics.v[metric(&r, "Decode/small-8 B/op")].direction, DIRECTION_LOWER);
	assert_near(reading(&r, 1, "Decode/large-8"), 1e6);
	assert_near(reading(&r, 1, "Decode/large-8 retries"), 13);
	record_release(&r);
}

static void google_benchmarks(void **state)
{
	struct record r;

	(void)state;
	/* One benchmark has its repetitions, the other its aggregates only: all are summaries then.
	 */
	load_file(&r, "import/gbench.json");
	assert_near(summary(&r, "BM_sort real_time")->mean, 2.5e6);
	assert_near(summary(&r, "BM_sort real_time")->sd, 0.125e6);
	assert_int_equal(summary(&r, "BM_sort cpu_time")->n, 10);
	assert_near(summary(&r, "BM_copy/8 real_time")->mean, 1625);
	assert_int_equal(summary(&r, "BM_copy/8 real_time")->n, 2);
	assert_near(summary(&r, "BM_copy/8 real_time")->sd, 250 / sqrt(2));
	assert_int_equal(r.metrics.v[metric(&r, "BM_copy/8 bytes_per_second")].direction,
			 DIRECTION_HIGHER);
	record_release(&r);
}

static void columns(void **state)
{
	struct import_options by_name = {.column = "free"}, by_number = {.column = "2"};
	struct record r;

	(void)state;
	load_file(&r, "field/skb-init-base.txt");
	assert_int_equal(r.metrics.n, 3);
	assert_int_equal(r.n_runs, 6);
	assert_near(reading(&r, 3, "alloc"), 318);
	assert_near(reading(&r, 5, "free"), 1127);
	record_release(&r);
	load_text_as(&r, "# cpu alloc free\n0 337 1163\n", &by_name);
	assert_int_equal(r.metrics.n, 1);
	assert_near(reading(&r, 0, "free"), 1163);
	record_release(&r);
	load_text_as(&r, "name alloc\nx 337\ny 338 # why\n", &by_number);
	assert_near(reading(&r, 1, "alloc"), 338);
	record_release(&r);
	load_text(&r, "# ten runs\n1.5\n\n2.5e0\n -3\n");
	assert_int_equal(r.n_runs, 3);
	assert_near(reading(&r, 2, "value"), -3);
	record_release(&r);
	load_text(&r, "a,\"b c\"\n1,2\n3,4\n");
	assert_near(reading(&r, 1, "b c"), 4);
	record_release(&r);
	load_text(&r, "\xef\xbb\xbf"
		      "1\t2\r\n3\t4\r\n");
	assert_near(reading(&r, 1, "2"), 4);
	record_release(&r);
}

static void report(void **state)
{
	struct record r;

	(void)state;
	load_text(&r, "{\"schema\": \"abstat-report/1\", \"variants\": [{\"name\": \"A\", "
		      "\"metrics\": [{\"name\": "
		      "\"cycles:u\", \"event\": \"cycles\", \"unit\": \"\", \"n\": 20, \"mean\": "
		      "100, \"sd\": 2, "
		      "\"running_percent\": 50, \"reason\": null}]}], \"comparisons\": "
		      "[{\"metrics\": [{\"name\": "
		      "\"cycles:u\", \"primary\": true, \"direction\": \"higher\"}]}]}");
	assert_int_equal(summary(&r, "cycles:u")->n, 20);
	assert_near(summary(&r, "cycles")->sd, 2);
	assert_near(summary(&r, "cycles")->running, 0.5);
	assert_int_equal(r.metrics.v[0].direction, DIRECTION_HIGHER);
	assert_int_equal(r.primary, 0);
	record_release(&r);
}

static void summaries(void **state)
{
	const char *const good[] = {"40 memory=14938,?,3", "B=12795,?,3", "C=12427,416.54,3"};
	static const char *const bad[] = {"A",      "A=1",     "A=1,2",     "A=1,2,0", "A=1,-2,3",
					  "=1,2,3", "A=x,2,3", "A=1,2,3,4", "A=1,?,3", "A=1,nan,3"};
	struct record r;
	char err[300];

	(void)state;
	assert_int_equal(record_from_summaries(good, 3, &r, err, sizeof(err)), 0);
	assert_int_equal(r.n_variants, 3);
	assert_string_equal(r.variants[0].name, "40 memory");
	assert_near(r.summaries[0].mean, 14938);
	assert_near(r.summaries[0].sd, 416.54);
	assert_true(r.summaries[0].sd_borrowed);
	assert_false(r.summaries[2].sd_borrowed);
	assert_int_equal(r.summaries[1].n, 3);
	record_release(&r);
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		err[0] = '\0';
		assert_true(record_from_summaries(&bad[i], 1, &r, err, sizeof(err)) < 0);
		assert_true(err[0]);
	}
}

static void says_what_is_wrong(void **state)
{
	static const struct {
		const char *text, *message;
	} rows[] = {
	    {"", "FILE: it is empty"},
	    {"\n\n", "FILE: not recognised"},
	    {"hello world\n", "FILE: not recognised"},
	    {"{}", "FILE: not recognised"},
	    {"1\nx\n", "FILE: line 2: column 1: 'x' is not a number"},
	    {"1\nnan\n", "FILE: line 2: column 1: 'nan' is not a number"},
	    {"1 2\n3\n", "FILE: line 2: column 2: '' is not a number"},
	    {"1e999\n", "FILE: not recognised"},
	    {" Performance counter stats for 'x':\n\nnothing\n",
	     "FILE: there are no measurements in it"},
	    {" Performance counter stats for 'x' (0 runs):\n",
	     "FILE: '(0 runs):' is not a number of runs"},
	    {"{\"results\": [{\"command\": \"x\", \"times\": [\"a\"]}]}",
	     "FILE: 'times' holds something else than numbers"},
	    {"{\"results\": [{\"command\": \"x\", \"times\": [1,", "FILE: line 1: "},
	    {"BenchmarkX 10 5 ns/op 7\n",
	     "FILE: BenchmarkX: expected a number and its unit at '7'"},
	    {"{\"counter-value\" : \"x\", \"event\" : \"y\"}\n",
	     "FILE: line 1: 'counter-value' is not a number"},
	    {"{\"schema\": \"abstat-report/2\"}",
	     "FILE: a report of schema 'abstat-report/2'; this abstat reads abstat-report/1"},
	};
	struct record r;
	char err[500];

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		int rc = record_load_memory(rows[i].text, strlen(rows[i].text), "FILE", NULL, &r,
					    err, sizeof(err));

		if (!rc || strncmp(err, rows[i].message, strlen(rows[i].message)) != 0)
			fail_msg("'%s': %s", rows[i].text, rc ? err : "read");
	}
	assert_int_equal(record_load("/nonexistent", NULL, &r, err, sizeof(err)), -EIO);
	assert_string_equal(err, "cannot read /nonexistent: No such file or directory");
	assert_true(record_load("/", NULL, &r, err, sizeof(err)) < 0);
	assert_string_equal(err, "cannot read /: Is a directory");
}

static void survives_the_hostile(void **state)
{
	const size_t n = 1000000;
	char *text = malloc(n * 40 + 100), err[500];
	size_t len = 0;
	struct record r;

	(void)state;
	for (size_t i = 0; i < n; i++)
		len += (size_t)sprintf(text + len, "1,,m%zu,100,100.00,,\n", i);
	assert_true(record_load_memory(text, len, "FILE", NULL, &r, err, sizeof(err)) < 0);
	assert_string_equal(err, "FILE: more than 10000 metrics");
	/* 10⁶ columns; deep nesting; NULs. */
	for (size_t i = 0; i < n; i++)
		memcpy(text + 2 * i, "1 ", 2);
	assert_true(record_load_memory(text, 2 * n, "FILE", NULL, &r, err, sizeof(err)) < 0);
	memset(text, '[', n);
	memcpy(text, "{\"results\":\"times\" \"command\"", 28);
	assert_true(record_load_memory(text, n, "FILE", NULL, &r, err, sizeof(err)) < 0);
	memset(text, 0, n);
	assert_true(record_load_memory(text, n, "FILE", NULL, &r, err, sizeof(err)) < 0);
	memset(text, '9', n);
	assert_true(record_load_memory(text, n, "FILE", NULL, &r, err, sizeof(err)) < 0);
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(local_numbers),
	    cmocka_unit_test(perf_text_of_2009),
	    cmocka_unit_test(perf_text_of_today),
	    cmocka_unit_test(perf_text_of_other_locales),
	    cmocka_unit_test(perf_text_appended),
	    cmocka_unit_test(perf_text_by_cpu),
	    cmocka_unit_test(perf_csv),
	    cmocka_unit_test(perf_csv_runs),
	    cmocka_unit_test(perf_json),
	    cmocka_unit_test(hyperfine),
	    cmocka_unit_test(go_benchmarks),
	    cmocka_unit_test(google_benchmarks),
	    cmocka_unit_test(columns),
	    cmocka_unit_test(report),
	    cmocka_unit_test(summaries),
	    cmocka_unit_test(says_what_is_wrong),
	    cmocka_unit_test(survives_the_hostile),
	};

	return cmocka_run_group_tests_name("import", tests, NULL, NULL);
}
