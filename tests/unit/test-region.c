/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Marked regions, from a program's markers to a run's result, with events that every kernel has.
 */
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
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <abstat/region-layout.h>
#include <abstat/region-machine.h>

#include "region-fixture.h"

enum { WORK, OUTER, N_NAMES };
enum { FAULTS, CLOCK, TIME };

static int set_up(void **state)
{
	static const char *const names[N_NAMES] = {"work", "outer"};
	struct region_fixture *f = calloc(1, sizeof(*f));
	int errors[EVENTS];

	if (!f)
		return -1;
	f->events[FAULTS] = region_fixture_event(PERF_COUNT_SW_PAGE_FAULTS, "page-faults");
	f->events[CLOCK] = region_fixture_event(PERF_COUNT_SW_TASK_CLOCK, "task-clock");
	*state = f;
	if (region_fixture_open(f, names, N_NAMES, EVENTS, errors)) {
		print_error("%s\n", f->err);
		return -1;
	}
	return 0;
}

static int tear_down(void **state)
{
	struct region_fixture *f = *state;

	region_set_free(f->set);
	free(f);
	return 0;
}

static void run(struct region_fixture *f, const char *mode, const char *n)
{
	region_fixture_run(f, REGION_WORKLOAD, mode, n);
}

/* A call's page faults; those beyond the exact ones are of other pages of the program. */
static void check_faults(const struct scope_cost *c, double total, double p50)
{
	assert_true(c->total >= total && c->total <= total + 40);
	assert_true(c->p50 == p50);
}

static void test_calls(void **state)
{
	struct region_fixture *f = *state;
	const struct scope_cost *work = costs_of(f, WORK);

	run(f, "calls", "1000");
	check_calls(&f->calls[WORK], 1000, 1000);
	check_calls(&f->calls[OUTER], 0, 0);
	assert_int_equal(f->programs.n, 1);
	assert_int_equal(f->programs.present, 1 << WORK | 1 << OUTER);
	assert_int_equal(f->programs.error, 0);
	check_faults(&work[FAULTS], 3000, 3);
	assert_true(work[FAULTS].p99 == 3);
	assert_true(work[FAULTS].self == work[FAULTS].total);
	assert_true(f->outermost[FAULTS] == work[FAULTS].total);
	assert_true(isnan(costs_of(f, OUTER)[FAULTS].p50));
	assert_true(work[TIME].p99 >= work[TIME].p50);
	assert_true(work[TIME].overhead > 0);
	assert_true(f->counted[FAULTS] && f->counted[TIME]);
}

static double monotonic_time(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

/*
 * Both are in nanoseconds, and a thread's clock stops where it leaves its CPU. That is so of what is
 * read. What an empty region reads is taken off, a median that depends on how busy the machine was:
 * less than a tenth of calls as long as these.
 */
static void test_times(void **state)
{
	struct region_fixture *f = *state;
	const struct scope_cost *work = costs_of(f, WORK);
	const double call = 1e6, calls = 20;
	double before = monotonic_time(), all;

	run(f, "spin", "20");
	all = monotonic_time() - before;
	check_calls(&f->calls[WORK], 20, 20);
	/* It counts from the thread's first region on. */
	assert_true(work[CLOCK].overhead > 0);
	assert_true(work[CLOCK].p50 > 0.9 * call && work[CLOCK].total > 0.9 * calls * call);
	assert_true(work[TIME].p50 > 0.9 * call && work[TIME].total < all);
	assert_true(work[CLOCK].total < work[TIME].total + 0.1 * calls * call);
}

static void test_runs_are_independent(void **state)
{
	struct region_fixture *f = *state;

	run(f, "calls", "10");
	run(f, "calls", "20");
	check_calls(&f->calls[WORK], 20, 20);
	check_faults(&costs_of(f, WORK)[FAULTS], 60, 3);
}

static void test_nested(void **state)
{
	struct region_fixture *f = *state;
	const struct scope_cost *work = costs_of(f, WORK), *outer = costs_of(f, OUTER);

	run(f, "nested", "500");
	check_calls(&f->calls[WORK], 1000, 1000);
	check_calls(&f->calls[OUTER], 500, 500);
	check_faults(&work[FAULTS], 3000, 3);
	check_faults(&outer[FAULTS], 4000, 8);
	assert_true(outer[FAULTS].self >= 1000 && outer[FAULTS].self <= 1040);
	assert_true(f->outermost[FAULTS] == outer[FAULTS].total);
	assert_true(outer[TIME].total > work[TIME].total);
	assert_true(fabs(outer[TIME].self + work[TIME].total - outer[TIME].total) < 1);
}

static void test_recursive(void **state)
{
	struct region_fixture *f = *state;

	run(f, "recursive", "100");
	check_calls(&f->calls[WORK], 100, 100);
	assert_true(costs_of(f, WORK)[FAULTS].total >= 100 && costs_of(f, WORK)[FAULTS].total <= 140);
	assert_true(costs_of(f, WORK)[FAULTS].self == costs_of(f, WORK)[FAULTS].total);
}

/* What begins after one that was left is not within that. */
static void test_left(void **state)
{
	struct region_fixture *f = *state;

	run(f, "left", "100");
	check_calls(&f->calls[WORK], 100, 90);
	assert_int_equal(f->calls[WORK].unreturned, 10);
	check_faults(&costs_of(f, WORK)[FAULTS], 270, 3);
	assert_true(costs_of(f, WORK)[FAULTS].self == costs_of(f, WORK)[FAULTS].total);
}

/* A call that never ends takes no other's costs with it. */
static void test_left_both(void **state)
{
	struct region_fixture *f = *state;
	const struct scope_cost *work = costs_of(f, WORK), *outer = costs_of(f, OUTER);

	run(f, "left-both", "100");
	check_calls(&f->calls[WORK], 100, 99);
	check_calls(&f->calls[OUTER], 100, 99);
	check_faults(&work[FAULTS], 297, 3);
	check_faults(&outer[FAULTS], 495, 5);
	assert_true(work[FAULTS].self == work[FAULTS].total);
	assert_true(outer[FAULTS].self == outer[FAULTS].total - work[FAULTS].total);
	assert_true(outer[TIME].self < outer[TIME].total);
}

static void test_left_always(void **state)
{
	struct region_fixture *f = *state;

	run(f, "left-always", "1000");
	check_calls(&f->calls[WORK], 1000, 0);
	check_calls(&f->calls[OUTER], 1000, 0);
	assert_int_equal(f->calls[WORK].lost + f->calls[OUTER].lost, 0);
	assert_int_equal(f->calls[WORK].unreturned, 1000);
}

static void test_left_above(void **state)
{
	struct region_fixture *f = *state;
	const struct scope_cost *work = costs_of(f, WORK);

	run(f, "left-above", "100");
	check_calls(&f->calls[WORK], 101, 100);
	check_faults(&work[FAULTS], 300, 3);
	assert_true(work[FAULTS].self == work[FAULTS].total);
}

/* Those that had no room are not waited for. */
static void test_left_deep(void **state)
{
	struct region_fixture *f = *state;

	run(f, "left-deep", "3");
	check_calls(&f->calls[WORK], 601, 1);
	assert_int_equal(f->calls[WORK].lost, 3 * 72);
	check_faults(&costs_of(f, WORK)[FAULTS], 3, 3);
}

/* 128 can be open: of others it is known that they were. */
static void test_deep(void **state)
{
	struct region_fixture *f = *state;

	run(f, "recursive", "300");
	check_calls(&f->calls[WORK], 300, 128);
	assert_int_equal(f->calls[WORK].lost, 172);
}

static void test_threads(void **state)
{
	struct region_fixture *f = *state;

	run(f, "threads", "300");
	check_calls(&f->calls[WORK], 2400, 2400);
	check_faults(&costs_of(f, WORK)[FAULTS], 7200, 3);
	assert_true(f->programs.threads_user + f->programs.threads_read >= 2);
}

static void test_short_threads(void **state)
{
	struct region_fixture *f = *state;

	run(f, "short-threads", "3000");
	check_calls(&f->calls[WORK], 3000, 3000);
	check_faults(&costs_of(f, WORK)[FAULTS], 9000, 3);
}

static void test_fork(void **state)
{
	struct region_fixture *f = *state;

	run(f, "fork", "20");
	/* The parent's 21, the children's 20, and 20 ends of which the child has no begin. */
	check_calls(&f->calls[WORK], 41, 41);
	assert_int_equal(f->programs.unbegun, 20);
	assert_int_equal(f->programs.n, 1);
}

/* A thread that has no descriptors for its events has no costs, not even of time. */
static void test_unopened(void **state)
{
	struct region_fixture *f = *state;

	run(f, "unopened", "30");
	check_calls(&f->calls[WORK], 60, 30);
	assert_int_equal(f->calls[WORK].not_counted, 30);
	assert_int_equal(f->programs.error, EMFILE);
	check_faults(&costs_of(f, WORK)[FAULTS], 90, 3);
	assert_true(f->counted[FAULTS] && f->counted[TIME]);
}

/* Its counters are not its parent's; what it does is no part of its parent's regions. */
static void test_vfork(void **state)
{
	struct region_fixture *f = *state;

	run(f, "vfork", "20");
	check_calls(&f->calls[WORK], 60, 20);
	check_calls(&f->calls[OUTER], 20, 20);
	assert_int_equal(f->calls[WORK].unfollowed, 40);
	check_faults(&costs_of(f, WORK)[FAULTS], 60, 3);
	check_faults(&costs_of(f, OUTER)[FAULTS], 40, 2);
	assert_true(costs_of(f, OUTER)[FAULTS].self == costs_of(f, OUTER)[FAULTS].total);
}

static void test_exec(void **state)
{
	struct region_fixture *f = *state;

	run(f, "exec", "50");
	check_calls(&f->calls[WORK], 51, 50);
	assert_int_equal(f->calls[WORK].unreturned, 1);
	assert_int_equal(f->programs.n, 2);
}

static void test_unpaired(void **state)
{
	struct region_fixture *f = *state;

	run(f, "unpaired", "7");
	check_calls(&f->calls[WORK], 7, 0);
	assert_int_equal(f->calls[WORK].unreturned, 7);
	assert_int_equal(f->programs.unbegun, 7);
	check_calls(&f->calls[OUTER], 1, 1);
}

static void test_longjmp(void **state)
{
	struct region_fixture *f = *state;

	run(f, "longjmp", "1000");
	check_calls(&f->calls[WORK], 1000, 0);
	assert_int_equal(f->calls[WORK].unreturned, 1000);
	check_calls(&f->calls[OUTER], 1000, 1000);
	assert_true(costs_of(f, OUTER)[FAULTS].total >= 1000);
}

static void test_leak(void **state)
{
	struct region_fixture *f = *state;

	run(f, "leak", "1000");
	check_sum(&f->calls[WORK]);
	assert_int_equal(f->calls[WORK].calls, 1001);
	assert_int_equal(f->calls[WORK].lost, 0);
	assert_int_equal(f->calls[WORK].unreturned, 1000);
}

static void test_signals(void **state)
{
	struct region_fixture *f = *state;

	run(f, "signals", "200000");
	check_calls(&f->calls[WORK], 200000, 200000);
	check_sum(&f->calls[OUTER]);
	assert_int_equal(f->calls[OUTER].calls, strtol(f->out, NULL, 10));
	assert_int_equal(f->calls[OUTER].unreturned, 0);
}

static void test_closed(void **state)
{
	struct region_fixture *f = *state;

	run(f, "closed", "30");
	check_sum(&f->calls[WORK]);
	assert_int_equal(f->calls[WORK].calls, 31);
	assert_int_equal(f->calls[WORK].not_counted, 30);
}

/* A descriptor that is not an event's any more is left alone. */
static void test_reused(void **state)
{
	struct region_fixture *f = *state;
	const char *modes[] = {"reused-pipe", "reused-file"};

	for (size_t i = 0; i < sizeof(modes) / sizeof(modes[0]); i++) {
		run(f, modes[i], "30");
		check_sum(&f->calls[WORK]);
		assert_int_equal(f->calls[WORK].calls, 31);
		assert_int_equal(f->calls[WORK].not_counted, 30);
	}
}

static void test_quiet(void **state)
{
	run(*state, "quiet", "1000");
}

/* Runs the program with a value that is not abstat's. */
static void check_harmless(const char *value)
{
	char variable[8192], text[16];
	double before;

	snprintf(variable, sizeof(variable), "ABSTAT_REGIONS=%s", value);
	before = monotonic_time();
	region_fixture_start(REGION_WORKLOAD, "quiet", "100", variable, text, sizeof(text));
	assert_true(monotonic_time() - before < 5e9);
}

static void test_garbage_variable(void **state)
{
	char dir[] = "/tmp/abstat-region-XXXXXX";
	char path[64], text[5000];

	(void)state;
	check_harmless("");
	check_harmless("/");
	check_harmless("/dev/zero");
	check_harmless("/dev/tty");
	check_harmless("/proc/self/mem");
	check_harmless("/nonexistent/file");
	check_harmless("relative");
	memset(text, 'x', sizeof(text));
	text[0] = '/';
	text[sizeof(text) - 1] = '\0';
	check_harmless(text);
	assert_non_null(mkdtemp(dir));
	snprintf(path, sizeof(path), "%s/fifo", dir);
	assert_int_equal(mkfifo(path, 0600), 0);
	check_harmless(path);
	unlink(path);
	snprintf(path, sizeof(path), "%s/file", dir);
	assert_int_equal(symlink(path, path), 0);
	check_harmless(path);
	unlink(path);
	rmdir(dir);
}

/* A file of which every byte of the head is one time changed, at random. */
static void test_garbage_file(void **state)
{
	struct region_fixture *f = *state;
	const char *path = strchr(region_set_variable(f->set), '/');
	uint64_t draw = (uint64_t)time(NULL) | 1;
	char *head;
	int fd;

	assert_int_equal(region_set_begin(f->set, f->err, sizeof(f->err)), 0);
	fd = open(path, O_RDWR | O_CLOEXEC);
	assert_true(fd >= 0);
	head = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	close(fd);
	assert_true(head != MAP_FAILED);
	for (size_t i = 0; i < 72; i++) {
		char old = head[i];

		draw = draw * 6364136223846793005u + 1442695040888963407u;
		head[i] = (char)(old ^ (char)(draw >> 56) ^ 1);
		check_harmless(path);
		head[i] = old;
	}
	munmap(head, 4096);
}

/* Not sealed: it could be cut off under the program's hands. */
static void test_unsealed_file(void **state)
{
	struct region_fixture *f = *state;
	char copy[] = "/tmp/abstat-region-XXXXXX";
	char buffer[65536];
	int from = open(strchr(region_set_variable(f->set), '/'), O_RDONLY | O_CLOEXEC);
	int to = mkostemp(copy, O_CLOEXEC);
	struct stat st;

	assert_true(from >= 0 && to >= 0);
	assert_int_equal(pread(from, buffer, sizeof(buffer), 0), sizeof(buffer));
	assert_int_equal(pwrite(to, buffer, sizeof(buffer), 0), sizeof(buffer));
	assert_int_equal(fstat(from, &st), 0);
	assert_int_equal(ftruncate(to, st.st_size), 0);
	check_harmless(copy);
	assert_int_equal(pread(to, buffer, sizeof(buffer), 0), sizeof(buffer));
	assert_int_equal(((struct abstat_region_file *)(void *)buffer)->programs, 0);
	unlink(copy);
	close(from);
	close(to);
}

/* A run's programs write what they like into the file: numbers come out of it, and no more. */
static void test_nonsense_counts(void **state)
{
	struct region_fixture *f = *state;
	struct scope_result result = {.calls = f->calls,
				      .costs = f->costs,
				      .outermost = f->outermost,
				      .overhead = f->overhead,
				      .counted = f->counted};
	uint64_t draw = 42;
	struct stat st;
	uint32_t *words;
	int fd;

	assert_int_equal(region_set_begin(f->set, f->err, sizeof(f->err)), 0);
	fd = open(strchr(region_set_variable(f->set), '/'), O_RDWR | O_CLOEXEC);
	assert_int_equal(fstat(fd, &st), 0);
	words = mmap(NULL, 4 << 20, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	assert_true(words != MAP_FAILED);
	for (size_t i = 0; i < 1 << 20; i++) {
		draw = draw * 6364136223846793005u + 1442695040888963407u;
		words[i] = (uint32_t)(draw >> 32);
	}
	assert_int_equal(region_set_end(f->set, &result, &f->programs, f->err, sizeof(f->err)),
			 0);
	munmap(words, 4 << 20);
	close(fd);
}

static void test_refusals(void **state)
{
	struct region_fixture *f = *state;
	const char *long_name = "a234567890123456789012345678901234567890123456789012345678901234";
	struct region_config config = f->config;
	struct rlimit limit, few;
	struct region_set *set;
	int errors[EVENTS];

	config.names = &long_name;
	config.n_names = 1;
	assert_int_equal(region_set_open(&set, &config, errors, f->err, sizeof(f->err)), -EINVAL);
	assert_null(set);
	assert_non_null(strstr(f->err, "63 characters"));
	config = f->config;
	assert_int_equal(getrlimit(RLIMIT_NOFILE, &limit), 0);
	few = limit;
	few.rlim_cur = 50;
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &few), 0);
	assert_int_equal(region_set_open(&set, &config, errors, f->err, sizeof(f->err)), -EINVAL);
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &limit), 0);
	assert_non_null(strstr(f->err, "ulimit -n"));
	config.n_names = 0;
	assert_int_equal(region_set_open(&set, &config, errors, f->err, sizeof(f->err)), -EINVAL);
}

/* An event that this kernel does not have; the others are counted. */
static void test_missing_event(void **state)
{
	struct region_fixture *f = *state;
	int errors[EVENTS];

	region_set_free(f->set);
	f->events[FAULTS].attr.config = 9999;
	assert_int_equal(region_set_open(&f->set, &f->config, errors, f->err, sizeof(f->err)), 0);
	assert_int_equal(errors[FAULTS], ENOENT);
	assert_int_equal(errors[CLOCK], 0);
	run(f, "calls", "10");
	check_calls(&f->calls[WORK], 10, 10);
	assert_true(isnan(costs_of(f, WORK)[FAULTS].total));
	assert_true(costs_of(f, WORK)[CLOCK].total > 0);
	assert_true(costs_of(f, WORK)[TIME].total > 0);
}

/* The header has the kernel's numbers in it, as it includes nothing of the system. */
static void test_numbers(void **state)
{
	(void)state;
	assert_int_equal(ABSTAT_REGION_READ_, SYS_read);
	assert_int_equal(ABSTAT_REGION_CLOSE_, SYS_close);
	assert_int_equal(ABSTAT_REGION_MMAP_, SYS_mmap);
	assert_int_equal(ABSTAT_REGION_MUNMAP_, SYS_munmap);
	assert_int_equal(ABSTAT_REGION_SIGPROCMASK_, SYS_rt_sigprocmask);
	assert_int_equal(ABSTAT_REGION_MADVISE_, SYS_madvise);
	assert_int_equal(ABSTAT_REGION_FCNTL_, SYS_fcntl);
	assert_int_equal(ABSTAT_REGION_IOCTL_, SYS_ioctl);
	assert_int_equal(ABSTAT_REGION_ENABLE_, PERF_EVENT_IOC_ENABLE);
	assert_int_equal(ABSTAT_REGION_DISABLE_, PERF_EVENT_IOC_DISABLE);
	assert_int_equal(ABSTAT_REGION_EVENT_ID_, PERF_EVENT_IOC_ID);
	assert_int_equal(ABSTAT_REGION_GETEUID_, SYS_geteuid);
	assert_int_equal(ABSTAT_REGION_GETTID_, SYS_gettid);
	assert_int_equal(ABSTAT_REGION_TKILL_, SYS_tkill);
	assert_int_equal(ABSTAT_REGION_OPENAT_, SYS_openat);
	assert_int_equal(ABSTAT_REGION_PERF_EVENT_OPEN_, SYS_perf_event_open);
	assert_int_equal(ABSTAT_REGION_PRLIMIT_, SYS_prlimit64);
	assert_int_equal(ABSTAT_REGION_STATX_, SYS_statx);
	assert_int_equal(ABSTAT_REGION_OPEN_, O_RDWR | O_CLOEXEC);
	assert_int_equal(ABSTAT_REGION_LOOK_, O_PATH | O_CLOEXEC);
	assert_int_equal(ABSTAT_REGION_DUP_, F_DUPFD_CLOEXEC);
	assert_int_equal(ABSTAT_REGION_GET_SEALS_, F_GET_SEALS);
	assert_int_equal(ABSTAT_REGION_SEAL_SHRINK_, F_SEAL_SHRINK);
	assert_int_equal(ABSTAT_REGION_DONTFORK_, MADV_DONTFORK);
	assert_int_equal(ABSTAT_REGION_WIPEONFORK_, MADV_WIPEONFORK);
	assert_int_equal(ABSTAT_REGION_MAP_ANONYMOUS_, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE);
	assert_int_equal(ABSTAT_REGION_ESRCH_, ESRCH);
	assert_int_equal(ABSTAT_REGION_ENOMEM_, ENOMEM);
	assert_int_equal(ABSTAT_REGION_ENOSPC_, ENOSPC);
	assert_true(sizeof(struct perf_event_attr) <= ABSTAT_REGION_ATTR_SIZE);
	assert_int_equal(sizeof(struct statx), sizeof(struct abstat_region_stat));
	assert_int_equal(offsetof(struct statx, stx_ino),
			 offsetof(struct abstat_region_stat, inode));
	assert_int_equal(offsetof(struct statx, stx_dev_major),
			 offsetof(struct abstat_region_stat, device));
	assert_int_equal(offsetof(struct perf_event_mmap_page, index),
			 offsetof(struct abstat_region_page, index));
	assert_int_equal(offsetof(struct perf_event_mmap_page, capabilities),
			 offsetof(struct abstat_region_page, capabilities));
	assert_int_equal(offsetof(struct perf_event_mmap_page, pmc_width),
			 offsetof(struct abstat_region_page, width));
	assert_int_equal(offsetof(struct perf_event_mmap_page, time_mult),
			 offsetof(struct abstat_region_page, time_mult));
}

int main(void)
{
#define CASE(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
	const struct CMUnitTest tests[] = {
	    CASE(test_calls),
	    CASE(test_times),
	    CASE(test_runs_are_independent),
	    CASE(test_nested),
	    CASE(test_recursive),
	    CASE(test_left),
	    CASE(test_left_both),
	    CASE(test_left_always),
	    CASE(test_left_above),
	    CASE(test_left_deep),
	    CASE(test_deep),
	    CASE(test_threads),
	    CASE(test_short_threads),
	    CASE(test_fork),
	    CASE(test_unopened),
	    CASE(test_vfork),
	    CASE(test_exec),
	    CASE(test_unpaired),
	    CASE(test_longjmp),
	    CASE(test_leak),
	    CASE(test_signals),
	    CASE(test_closed),
	    CASE(test_reused),
	    CASE(test_quiet),
	    CASE(test_garbage_variable),
	    CASE(test_garbage_file),
	    CASE(test_unsealed_file),
	    CASE(test_nonsense_counts),
	    CASE(test_refusals),
	    CASE(test_missing_event),
	    cmocka_unit_test(test_numbers),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
