/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A workload that behaves as its first argument says: `act exit 3`, `act crash`, `act daemon 5`.
 * Every verb is a row of the table at the end.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static void sleep_ms(long ms)
{
	struct timespec ts = {.tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000};

	while (nanosleep(&ts, &ts) && errno == EINTR)
		;
}

static int64_t now_ms(clockid_t clock)
{
	struct timespec ts;

	clock_gettime(clock, &ts);
	return (int64_t)ts.tv_sec * 1000 + ts.tv_nsec / 1000000;
}

static void burn(long ms)
{
	int64_t end = now_ms(CLOCK_PROCESS_CPUTIME_ID) + ms;

	while (now_ms(CLOCK_PROCESS_CPUTIME_ID) < end)
		for (volatile int i = 0; i < 10000; i++)
			;
}

static int act_exit(char **args)
{
	return atoi(args[0]);
}

static int act_crash(char **args)
{
	(void)args;
	abort();
}

static int act_sleep(char **args)
{
	sleep_ms(atol(args[0]));
	return 0;
}

static int act_burn(char **args)
{
	burn(atol(args[0]));
	return 0;
}

/* alloc MIB: touches that much memory, page by page. */
static int act_alloc(char **args)
{
	size_t size = (size_t)atol(args[0]) << 20;
	char *p = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (p == MAP_FAILED)
		return 1;
	madvise(p, size, MADV_NOHUGEPAGE);
	for (size_t i = 0; i < size; i += 4096)
		p[i] = 1;
	return 0;
}

/* write FD BYTES: lines of 16 bytes that are numbered. */
static int act_write(char **args)
{
	int fd = atoi(args[0]);
	long bytes = atol(args[1]);

	for (long at = 0; at < bytes; at += 16) {
		char line[32];

		snprintf(line, sizeof(line), "%015ld\n", at);
		if (write(fd, line, 16) != 16)
			return 1;
	}
	return 0;
}

/* fill FD BYTES: the same, in large pieces. */
static int act_fill(char **args)
{
	static char piece[65536];
	int fd = atoi(args[0]);
	long left = atol(args[1]);

	memset(piece, 'x', sizeof(piece));
	while (left > 0) {
		ssize_t n =
		    write(fd, piece, left < (long)sizeof(piece) ? (size_t)left : sizeof(piece));

		if (n < 0)
			return 1;
		left -= n;
	}
	return 0;
}

/* say FD TEXT */
static int act_say(char **args)
{
	return dprintf(atoi(args[0]), "%s\n", args[1]) < 0;
}

/* daemon MS: leaves a process of a session of its own. */
static int act_daemon(char **args)
{
	pid_t pid = fork();

	if (pid == 0) {
		setsid();
		if (fork() == 0)
			sleep_ms(atol(args[0]));
		_exit(0);
	}
	return pid < 0 || waitpid(pid, NULL, 0) != pid;
}

/* linger MS: leaves a child of the same group; burn-behind MS: one that takes CPU time. */
static int act_linger(char **args)
{
	if (fork() == 0)
		sleep_ms(atol(args[0]));
	return 0;
}

static int act_burn_behind(char **args)
{
	if (fork() == 0)
		burn(atol(args[0]));
	return 0;
}

/* alloc-behind MIB: leaves a child that touches memory and then waits. */
static int act_alloc_behind(char **args)
{
	if (fork() == 0) {
		act_alloc(args);
		sleep_ms(100000);
	}
	return 0;
}

/* stopped: leaves a child that is stopped. */
static int act_stopped(char **args)
{
	pid_t pid = fork();

	(void)args;
	if (pid == 0) {
		raise(SIGSTOP);
		sleep_ms(100000);
	}
	return waitpid(pid, NULL, WUNTRACED) != pid;
}

/* chain: a process that replaces itself by a child of another session, for ever. */
static int act_chain(char **args)
{
	(void)args;
	if (fork() == 0) {
		for (;;) {
			setsid();
			if (fork() > 0)
				_exit(0);
			sleep_ms(1);
		}
	}
	return 0;
}

/* orphans N: children of dead parents, dead themselves before the end. */
static int act_orphans(char **args)
{
	for (int i = atoi(args[0]); i > 0; i--) {
		pid_t pid = fork();

		if (pid == 0) {
			if (fork() == 0)
				burn(5);
			_exit(0);
		}
		waitpid(pid, NULL, 0);
	}
	sleep_ms(200);
	return 0;
}

static void *sleep_thread(void *ms)
{
	sleep_ms((long)(intptr_t)ms);
	exit(0);
}

/* leader-exits MS: the first thread ends, another one goes on. */
static int act_leader_exits(char **args)
{
	pthread_t thread;

	if (pthread_create(&thread, NULL, sleep_thread, (void *)(intptr_t)atol(args[0])))
		return 1;
	pthread_exit(NULL);
}

static void *burn_thread(void *ms)
{
	burn((long)(intptr_t)ms);
	return NULL;
}

/* threads N MS */
static int act_threads(char **args)
{
	pthread_t threads[64];
	int n = atoi(args[0]);

	for (int i = 0; i < n && i < 64; i++)
		if (pthread_create(&threads[i], NULL, burn_thread, (void *)(intptr_t)atol(args[1])))
			return 1;
	for (int i = 0; i < n && i < 64; i++)
		pthread_join(threads[i], NULL);
	return 0;
}

static void on_signal(int sig)
{
	(void)sig;
}

/* stubborn MS: does not end for SIGINT and SIGTERM. */
static int act_stubborn(char **args)
{
	signal(SIGINT, on_signal);
	signal(SIGTERM, on_signal);
	sleep_ms(atol(args[0]));
	return 0;
}

static int act_stop(char **args)
{
	(void)args;
	raise(SIGSTOP);
	return 0;
}

/* state: what the process was born with, one fact a line. */
static int act_state(char **args)
{
	DIR *dir = opendir("/proc/self/fd");
	sigset_t mask;
	struct dirent *d;

	(void)args;
	printf("fds");
	for (int fd = 0; fd < 1024; fd++)
		if (fd != dirfd(dir) && fcntl(fd, F_GETFD) >= 0)
			printf(" %d", fd);
	while ((d = readdir(dir)))
		;
	closedir(dir);
	sigprocmask(SIG_BLOCK, NULL, &mask);
	printf("\nblocked");
	for (int sig = 1; sig < NSIG; sig++)
		if (sigismember(&mask, sig) == 1)
			printf(" %d", sig);
	printf("\nignored");
	for (int sig = 1; sig < NSIG; sig++) {
		struct sigaction action;

		if (!sigaction(sig, NULL, &action) && action.sa_handler != SIG_DFL)
			printf(" %d", sig);
	}
	printf("\nleader %d\n", getpgrp() == getpid());
	return 0;
}

static int act_environment(char **args)
{
	extern char **environ;

	(void)args;
	for (char **e = environ; *e; e++)
		puts(*e);
	return 0;
}

/* stack WORD...: where the stack begins. */
static int act_stack(char **args)
{
	int variable;

	(void)args;
	printf("%p\n", (void *)&variable);
	return 0;
}

static int act_directory(char **args)
{
	char buf[4096];

	(void)args;
	return !getcwd(buf, sizeof(buf)) || puts(buf) < 0;
}

static int act_copy(char **args)
{
	char buf[4096];
	ssize_t n;

	(void)args;
	while ((n = read(0, buf, sizeof(buf))) > 0)
		if (write(1, buf, (size_t)n) != n)
			return 1;
	return n < 0;
}

static int act_cpus(char **args)
{
	cpu_set_t set;

	(void)args;
	sched_getaffinity(0, sizeof(set), &set);
	for (int cpu = 0; cpu < CPU_SETSIZE; cpu++)
		if (CPU_ISSET(cpu, &set))
			printf("%d\n", cpu);
	return 0;
}

/* shout MS: leaves a process that writes to stderr for so long. */
static int act_shout(char **args)
{
	if (fork() == 0) {
		int64_t end = now_ms(CLOCK_MONOTONIC) + atol(args[0]);

		setsid();
		while (now_ms(CLOCK_MONOTONIC) < end && write(2, "shout\n", 6) == 6)
			;
	}
	return 0;
}

/* touch FILE: adds a byte to it. */
static int act_touch(char **args)
{
	int fd = open(args[0], O_WRONLY | O_CREAT | O_APPEND, 0666);

	return fd < 0 || write(fd, ".", 1) != 1;
}

static const struct verb {
	const char *name;
	int n_args;
	int (*act)(char **args);
} verbs[] = {
    {"alloc", 1, act_alloc},
    {"alloc-behind", 1, act_alloc_behind},
    {"burn", 1, act_burn},
    {"burn-behind", 1, act_burn_behind},
    {"chain", 0, act_chain},
    {"copy", 0, act_copy},
    {"cpus", 0, act_cpus},
    {"crash", 0, act_crash},
    {"daemon", 1, act_daemon},
    {"directory", 0, act_directory},
    {"environment", 0, act_environment},
    {"exit", 1, act_exit},
    {"fill", 2, act_fill},
    {"leader-exits", 1, act_leader_exits},
    {"linger", 1, act_linger},
    {"orphans", 1, act_orphans},
    {"say", 2, act_say},
    {"shout", 1, act_shout},
    {"sleep", 1, act_sleep},
    {"stack", 0, act_stack},
    {"state", 0, act_state},
    {"stop", 0, act_stop},
    {"stopped", 0, act_stopped},
    {"stubborn", 1, act_stubborn},
    {"threads", 2, act_threads},
    {"touch", 1, act_touch},
    {"write", 2, act_write},
};

int main(int argc, char **argv)
{
	for (size_t i = 0; argc > 1 && i < sizeof(verbs) / sizeof(verbs[0]); i++)
		if (!strcmp(argv[1], verbs[i].name) && argc - 2 >= verbs[i].n_args)
			return verbs[i].act(argv + 2);
	fprintf(stderr, "act: unknown verb, or too few arguments\n");
	return 99;
}
