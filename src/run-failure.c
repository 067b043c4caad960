/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * execve(2) has few words for many reasons; the file says which one it was.
 */
#include "run-failure.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct program {
	const char *path;
	bool exists;
	bool directory;
	char start[256]; /* its first bytes, terminated */
};

static void look_at(struct program *p, const struct run_config *config)
{
	int dir = config->cwd ? open(config->cwd, O_PATH | O_DIRECTORY | O_CLOEXEC) : AT_FDCWD;
	struct stat st;
	int fd;

	if (fstatat(dir, p->path, &st, 0) == 0) {
		p->exists = true;
		p->directory = S_ISDIR(st.st_mode);
		fd = S_ISREG(st.st_mode) ? openat(dir, p->path, O_RDONLY | O_CLOEXEC) : -1;
		if (fd >= 0) {
			ssize_t n = read(fd, p->start, sizeof(p->start) - 1);

			p->start[n > 0 ? n : 0] = '\0';
			close(fd);
		}
	}
	if (dir >= 0)
		close(dir);
}

/* Words that only a shell understands. */
static bool shell_word(const char *word)
{
	static const char *const words[] = {
	    "!",    "{",      ".",     "alias",  "bg",    "case",  "cd",       "command",
	    "eval", "exec",   "exit",  "export", "fg",    "for",   "function", "if",
	    "jobs", "local",  "read",  "return", "set",   "shift", "source",   "trap",
	    "type", "ulimit", "umask", "unset",  "until", "wait",  "while"};

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (!strcmp(word, words[i]))
			return true;
	return false;
}

static void not_found(const struct program *p, char *buf, size_t size)
{
	const char *interpreter = p->start + 2;
	size_t len;

	if (!strchr(p->path, '/')) {
		snprintf(buf, size, "command not found: '%s'%s", p->path,
			 shell_word(p->path) ? " (a word of the shell: use --shell)" : "");
		return;
	}
	if (!p->exists) {
		snprintf(buf, size, "no such file: '%s'", p->path);
		return;
	}
	if (strncmp(p->start, "#!", 2)) {
		snprintf(buf, size, "'%s' exists, but the dynamic loader that it names does not",
			 p->path);
		return;
	}
	interpreter += strspn(interpreter, " \t");
	len = strcspn(interpreter, " \t\r\n");
	snprintf(buf, size, "the interpreter of '%s' does not exist: '%.*s'%s", p->path, (int)len,
		 interpreter, interpreter[len] == '\r' ? " (the file has DOS line ends)" : "");
}

static void no_access(const struct program *p, char *buf, size_t size)
{
	if (p->directory)
		snprintf(buf, size, "'%s' is a directory", p->path);
	else if (p->exists)
		snprintf(
		    buf, size,
		    "'%s' may not be executed: is it chmod +x, and the file system not noexec?",
		    p->path);
	else
		snprintf(buf, size, "permission denied: '%s'", p->path);
}

static void no_format(const struct program *p, char *buf, size_t size)
{
	if (!strncmp(p->start, "\177ELF", 4))
		snprintf(buf, size, "'%s' is a program for another kind of machine", p->path);
	else if (!p->start[0])
		snprintf(buf, size, "'%s' is empty", p->path);
	else
		snprintf(buf, size,
			 "'%s' is neither a program nor a script that begins with #!: name its "
			 "interpreter",
			 p->path);
}

static void not_started(const struct run_result *r, const struct variant *v,
			const struct run_config *config, char *buf, size_t size)
{
	struct program p = {.path = v->argv[0]};
	struct stat st;

	if (config->cwd &&
	    (stat(config->cwd, &st) || !S_ISDIR(st.st_mode) || access(config->cwd, X_OK))) {
		snprintf(buf, size, "cannot enter the directory '%s': %s", config->cwd,
			 strerror(r->error));
		return;
	}
	look_at(&p, config);
	switch (r->error) {
	case ENOENT:
	case ENOTDIR:
		not_found(&p, buf, size);
		return;
	case EACCES:
	case EPERM:
		no_access(&p, buf, size);
		return;
	case ENOEXEC:
		no_format(&p, buf, size);
		return;
	case E2BIG:
		snprintf(buf, size,
			 "the command line and the environment are too long for the kernel");
		return;
	default:
		snprintf(buf, size, "cannot execute '%s': %s", p.path, strerror(r->error));
	}
}

int signal_stops(int sig)
{
	return sig == SIGSTOP || sig == SIGTSTP || sig == SIGTTIN || sig == SIGTTOU;
}

static void by_signal(int sig, char *buf, size_t size)
{
	const char *name = sigabbrev_np(sig);
	char number[16];

	snprintf(number, sizeof(number), "%d", sig);
	if (sig == SIGTTIN || sig == SIGTTOU)
		snprintf(buf, size,
			 "was stopped by SIG%s: runs are in the background of the terminal, "
			 "and cannot %s it",
			 name, sig == SIGTTIN ? "read from" : "set or write to");
	else if (signal_stops(sig))
		snprintf(buf, size, "was stopped by SIG%s, and killed", name);
	else
		snprintf(buf, size, "died by signal %s%s (%s)", name ? "SIG" : "",
			 name ? name : number, strsignal(sig));
}

static void after_time(uint64_t ns, char *buf, size_t size)
{
	snprintf(buf, size, "was killed at its time limit of %g s", (double)ns / 1e9);
}

void run_failure_text(const struct run_result *r, const struct variant *v,
		      const struct run_config *config, char *buf, size_t size)
{
	switch (r->outcome) {
	case RUN_OK:
		snprintf(buf, size, "succeeded");
		return;
	case RUN_EXIT:
		snprintf(buf, size, "exited with status %d", r->status);
		return;
	case RUN_SIGNAL:
		by_signal(r->status, buf, size);
		return;
	case RUN_TIMEOUT:
		after_time(config->timeout_ns, buf, size);
		return;
	case RUN_STRAGGLERS:
		snprintf(buf, size, "left %u process%s behind", r->stragglers,
			 r->stragglers == 1 ? "" : "es");
		return;
	case RUN_INTERRUPTED:
		snprintf(buf, size, "was interrupted");
		return;
	case RUN_NOT_STARTED:
		not_started(r, v, config, buf, size);
		return;
	}
}
