/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Children are listed by /proc/thread-self/children, or, on kernels that lack it, found by their
 * parent's number. No malloc and no stdio: this runs in a signal handler too.
 */
#include "children.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

struct tally {
	int found;
	int error;
};

/*
 * The group first: the kernel does that in one go, so that members which fork all the time are all
 * caught. The child is not reaped, so neither its number nor its group's can belong to others.
 */
static void kill_child(pid_t pid, struct tally *t)
{
	pid_t group = getpgid(pid);

	t->found++;
	if (group > 1 && group != getpgrp())
		kill(-group, SIGKILL);
	if (kill(pid, SIGKILL) && errno != ESRCH)
		t->error = -errno;
}

static int list_children(struct tally *t)
{
	char buf[1024];
	ssize_t n;
	pid_t pid = 0;
	int fd = open("/proc/thread-self/children", O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		return -errno;
	while ((n = read(fd, buf, sizeof(buf))) > 0) {
		for (ssize_t i = 0; i < n; i++) {
			if (isdigit((unsigned char)buf[i])) {
				pid = pid * 10 + (buf[i] - '0');
			} else if (pid > 0) {
				kill_child(pid, t);
				pid = 0;
			}
		}
	}
	close(fd);
	return n < 0 ? -EIO : 0;
}

static pid_t number(const char *text)
{
	pid_t n = 0;

	if (!isdigit((unsigned char)*text))
		return -1;
	for (; isdigit((unsigned char)*text); text++)
		n = n * 10 + (*text - '0');
	return *text == '\0' || *text == ' ' ? n : -1;
}

/* The parent is the second word after the name, which stands in the last parentheses. */
static pid_t parent_of(int proc, const char *name)
{
	char path[32] = "";
	char buf[512];
	const char *p;
	ssize_t n;
	int fd;

	if (strlen(name) + sizeof("/stat") > sizeof(path))
		return -1;
	memcpy(path, name, strlen(name));
	memcpy(path + strlen(name), "/stat", sizeof("/stat"));
	fd = openat(proc, path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return -1;
	n = read(fd, buf, sizeof(buf) - 1);
	close(fd);
	if (n <= 0)
		return -1;
	buf[n] = '\0';
	p = strrchr(buf, ')');
	return p && strlen(p) > 4 ? number(p + 4) : -1;
}

struct dirent_header {
	uint64_t inode;
	int64_t offset;
	uint16_t length;
	uint8_t type;
	char name[];
};

static int search_children(struct tally *t)
{
	_Alignas(struct dirent_header) char buf[4096];
	int proc = open("/proc", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	pid_t self = getpid();
	long n;

	if (proc < 0)
		return -errno;
	while ((n = syscall(SYS_getdents64, proc, buf, sizeof(buf))) > 0) {
		for (long i = 0; i < n;) {
			const struct dirent_header *d = (const void *)(buf + i);
			pid_t pid = number(d->name);

			if (pid > 0 && parent_of(proc, d->name) == self)
				kill_child(pid, t);
			i += d->length;
		}
	}
	close(proc);
	return n < 0 ? -EIO : 0;
}

int children_kill(void)
{
	struct tally t = {0};
	int rc = list_children(&t);

	if (rc == -ENOENT)
		rc = search_children(&t);
	if (rc)
		return rc;
	return t.error ? t.error : t.found;
}
