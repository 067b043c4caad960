/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Groups of senders and receivers that pass messages, in the shape of hackbench: in a group, every
 * sender sends to every receiver, over socket pairs or pipes, as processes or threads.
 *
 * Built three times: MESSAGING_POINTER has one more pointer in the structure that each task has,
 * which nothing uses; MESSAGING_MORE sends 3 % more messages (rounded up); neither of them is the
 * baseline.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "arguments.h"

#ifdef MESSAGING_MORE
#define WORK_PERCENT 103
#else
#define WORK_PERCENT 100
#endif

static long groups = 1, tasks = 5, loops = 600, bytes = 100, use_pipes, use_threads;

static const struct argument arguments[] = {
    {"groups", &groups, 1, "groups"},
    {"tasks", &tasks, 1, "senders, and receivers, in a group"},
    {"loops", &loops, 1, "messages of each sender to each receiver"},
    {"bytes", &bytes, 1, "size of a message"},
    {"pipes", &use_pipes, 0, "1: pipes rather than socket pairs"},
    {"threads", &use_threads, 0, "1: threads rather than processes"},
    {0},
};

struct task {
	void *(*run)(void *task);
	int *outputs; /* of a sender: where the receivers of its group read */
	int input;    /* of a receiver */
#ifdef MESSAGING_POINTER
	void *extra;
#endif
	long messages; /* to send to each receiver, or to receive in all */
	pthread_t thread;
	pid_t pid;
	char *buffer;
};

static _Noreturn void fail(const char *what)
{
	perror(what);
	exit(1);
}

static void *send_all(void *argument)
{
	struct task *task = argument;

	for (long i = 0; i < task->messages; i++)
		for (long k = 0; k < tasks; k++)
			for (long done = 0; done < bytes;) {
				ssize_t n = write(task->outputs[k], task->buffer + done,
						  (size_t)(bytes - done));

				if (n < 0)
					fail("write");
				done += n;
			}
	return NULL;
}

static void *receive_all(void *argument)
{
	struct task *task = argument;

	for (long i = 0; i < task->messages; i++)
		for (long done = 0; done < bytes;) {
			ssize_t n = read(task->input, task->buffer + done, (size_t)(bytes - done));

			if (n <= 0)
				fail("read");
			done += n;
		}
	return NULL;
}

static void start(struct task *task)
{
	task->buffer = calloc(1, (size_t)bytes);
	if (!task->buffer)
		fail("calloc");
	if (use_threads) {
		if (pthread_create(&task->thread, NULL, task->run, task))
			fail("pthread_create");
		return;
	}
	task->pid = fork();
	if (task->pid < 0)
		fail("fork");
	if (task->pid == 0) {
		task->run(task);
		_exit(0);
	}
}

/* Whether it did all of its work. */
static int finish(struct task *task)
{
	int status;

	if (use_threads)
		return pthread_join(task->thread, NULL) == 0;
	return waitpid(task->pid, &status, 0) == task->pid && status == 0;
}

/* A group is its senders, then its receivers; nobody has started yet. */
static void make_group(struct task *group)
{
	int *outputs = calloc((size_t)tasks, sizeof(*outputs));
	long messages = (loops * WORK_PERCENT + 99) / 100;

	if (!outputs)
		fail("calloc");
	for (long i = 0; i < tasks; i++) {
		struct task *receiver = &group[tasks + i];
		int ends[2];

		if (use_pipes ? pipe(ends) : socketpair(AF_UNIX, SOCK_STREAM, 0, ends))
			fail("pipe");
		receiver->run = receive_all;
		receiver->input = ends[0];
		receiver->messages = messages * tasks;
		outputs[i] = ends[1];
		group[i].run = send_all;
		group[i].outputs = outputs;
		group[i].messages = messages;
	}
}

int main(int argc, char **argv)
{
	struct task *all;
	long n;
	int ok = 1;

	arguments_parse(argc, argv, arguments);
	n = groups * tasks * 2;
	all = calloc((size_t)n, sizeof(*all));
	if (!all)
		fail("calloc");
	for (long i = 0; i < groups; i++)
		make_group(all + i * tasks * 2);
	for (long i = 0; i < n; i++)
		start(&all[i]);
	for (long i = 0; i < n; i++)
		ok &= finish(&all[i]);
	return ok ? 0 : 1;
}
