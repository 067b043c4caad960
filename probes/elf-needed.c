/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Asks the dynamic linker of a program what it would load. */
#include "elf-needed.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

/* A program that names anything else as its interpreter is not asked. */
static bool is_dynamic_linker(const char *path)
{
	const char *name = strrchr(path, '/');

	return name &&
	       (!strncmp(name, "/ld-", 4) || !strncmp(name, "/ld.so", 6) ||
		!strncmp(name, "/ld64.so", 8)) &&
	       !access(path, X_OK);
}

static int add(struct elf_needed *needed, const char *path, size_t len)
{
	char **grown = reallocarray(needed->paths, needed->n + 1, sizeof(*grown));

	if (!grown)
		return -ENOMEM;
	needed->paths = grown;
	grown[needed->n] = strndup(path, len);
	return grown[needed->n] ? ((void)needed->n++, 0) : -ENOMEM;
}

/* "\tlibc.so.6 => /lib/libc.so.6 (0x7f...)", or a path and an address alone. */
static int take_line(struct elf_needed *needed, const char *line)
{
	const char *arrow = strstr(line, " => "), *path = arrow ? arrow + 4 : line;

	path += strspn(path, " \t");
	const char *end = strstr(path, " (0x");

	return *path == '/' && end ? add(needed, path, (size_t)(end - path)) : 0;
}

static int spawn_linker(const struct elf_file *f, int out, pid_t *pid)
{
	static char list[] = "--list";
	char *argv[] = {f->facts.interpreter, list, (char *)f->path, NULL};
	posix_spawn_file_actions_t actions;
	int r = posix_spawn_file_actions_init(&actions);

	if (r)
		return -r;
	posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
	posix_spawn_file_actions_adddup2(&actions, out, 1);
	posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0);
	r = posix_spawn(pid, argv[0], &actions, NULL, argv, environ);
	posix_spawn_file_actions_destroy(&actions);
	return -r;
}

static int read_lines(struct elf_needed *needed, int in)
{
	FILE *lines = fdopen(in, "r");
	size_t room = 0;
	char *line = NULL;
	int r = lines ? 0 : -errno;

	while (!r && getline(&line, &room, lines) > 0)
		r = take_line(needed, line);
	free(line);
	if (lines)
		fclose(lines);
	else
		close(in);
	return r;
}

static int ask(struct elf_needed *needed, const struct elf_file *f, int *status)
{
	int ends[2];
	pid_t pid;

	if (pipe2(ends, O_CLOEXEC))
		return -errno;
	int r = spawn_linker(f, ends[1], &pid);

	close(ends[1]);
	if (r) {
		close(ends[0]);
		return r;
	}
	r = read_lines(needed, ends[0]);
	while (waitpid(pid, status, 0) < 0 && errno == EINTR)
		continue;
	return r;
}

int elf_needed_init(struct elf_needed *needed, const struct elf_file *f, char *err, size_t err_size)
{
	const char *linker = f->facts.interpreter;
	int status = 0, r;

	*needed = (struct elf_needed){0};
	if (!linker || !f->facts.n_needed)
		return 0;
	if (!is_dynamic_linker(linker)) {
		snprintf(err, err_size,
			 "%s: its dynamic linker '%.100s' is not known, so that its libraries "
			 "cannot be listed: name the library by its path: BINARY:FUNC",
			 f->path, linker);
		return -ENOTSUP;
	}
	r = ask(needed, f, &status);
	if (!r && (!WIFEXITED(status) || WEXITSTATUS(status))) {
		snprintf(err, err_size,
			 "%s: its dynamic linker does not find its libraries; '%s --list %s' says "
			 "why; or name the library by its path: BINARY:FUNC",
			 f->path, linker, f->path);
		r = -ENOENT;
	} else if (r) {
		snprintf(err, err_size, "%s: its dynamic linker %s cannot be asked: %s", f->path,
			 linker, strerror(-r));
	}
	if (r)
		elf_needed_release(needed);
	return r;
}

void elf_needed_release(struct elf_needed *needed)
{
	for (size_t i = 0; i < needed->n; i++)
		free(needed->paths[i]);
	free(needed->paths);
	*needed = (struct elf_needed){0};
}

/* "libc.so.6" is called that, "libc.so", "libc" and "c". */
static bool is_called(const char *path, const char *name)
{
	const char *slash = strrchr(path, '/'), *base = slash ? slash + 1 : path;
	size_t n = strlen(name);

	if (!strncmp(base, name, n) &&
	    (!base[n] || !strncmp(base + n, ".so", 3) || (strstr(name, ".so") && base[n] == '.')))
		return true;
	return !strncmp(base, "lib", 3) && !strncmp(base + 3, name, n) &&
	       !strncmp(base + 3 + n, ".so", 3);
}

const char *elf_needed_find(const struct elf_needed *needed, const char *name)
{
	for (size_t i = 0; i < needed->n; i++)
		if (is_called(needed->paths[i], name))
			return needed->paths[i];
	return NULL;
}
