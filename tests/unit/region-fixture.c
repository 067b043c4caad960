/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <fcntl.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "region-fixture.h"

struct event region_fixture_event(uint64_t config, const char *name)
{
	return (struct event){
	    .asked = (char *)name,
	    .name = (char *)name,
	    .scale = 1,
	    .attr = {.type = PERF_TYPE_SOFTWARE, .config = config},
	    .group = -1,
	    .software = true,
	    .pmu = (char *)"software",
	};
}

int region_fixture_open(struct region_fixture *f, const char *const *names, size_t n_names,
			size_t n_events, int *errors)
{
	assert_true(n_names <= NAMES && n_events <= EVENTS);
	for (size_t i = 0; i < n_events; i++)
		f->pointers[i] = &f->events[i];
	f->config = (struct region_config){
	    .names = names, .n_names = n_names, .events = f->pointers, .n_events = n_events};
	return region_set_open(&f->set, &f->config, errors, f->err, sizeof(f->err));
}

void region_fixture_start(const char *program, const char *mode, const char *n,
			  const char *variable, char *text, size_t size)
{
	char *argv[] = {(char *)program, (char *)mode, (char *)n, NULL};
	char *envp[] = {(char *)variable, NULL};
	posix_spawn_file_actions_t actions;
	int fds[2], status;
	ssize_t got;
	pid_t pid;

	assert_int_equal(pipe2(fds, O_CLOEXEC), 0);
	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_adddup2(&actions, fds[1], STDOUT_FILENO);
	assert_int_equal(posix_spawn(&pid, program, &actions, NULL, argv, envp), 0);
	posix_spawn_file_actions_destroy(&actions);
	close(fds[1]);
	got = read(fds[0], text, size - 1);
	text[got < 0 ? 0 : got] = '\0';
	close(fds[0]);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
}

void region_fixture_run(struct region_fixture *f, const char *program, const char *mode,
			const char *n)
{
	struct scope_result result = {
	    .calls = f->calls,
	    .costs = f->costs,
	    .outermost = f->outermost,
	    .overhead = f->overhead,
	    .counted = f->counted,
	};

	memset(f->outermost, 0, sizeof(f->outermost));
	memset(f->overhead, 0, sizeof(f->overhead));
	for (size_t i = 0; i < COSTS; i++)
		f->counted[i] = true;
	assert_int_equal(region_set_begin(f->set, f->err, sizeof(f->err)), 0);
	region_fixture_start(program, mode, n, region_set_variable(f->set), f->out, sizeof(f->out));
	assert_int_equal(region_set_end(f->set, &result, &f->programs, f->err, sizeof(f->err)), 0);
}

const struct scope_cost *costs_of(const struct region_fixture *f, size_t region)
{
	return f->costs + region * (f->config.n_events + 1);
}

void check_sum(const struct scope_calls *c)
{
	assert_int_equal(c->calls, c->measured + c->lost + c->not_counted + c->unfollowed +
				       c->unreturned + c->missed);
}

void check_calls(const struct scope_calls *c, uint64_t calls, uint64_t measured)
{
	check_sum(c);
	assert_int_equal(c->calls, calls);
	assert_int_equal(c->measured, measured);
}
