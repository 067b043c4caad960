/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Most of a small process is the parts of libc that it has touched and will not touch again.
 */
#include "footprint.h"

#include <fcntl.h>
#include <malloc.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#define MAX_MAPPINGS 64

struct mapping {
	unsigned long start;
	unsigned long end;
	bool unused;
	bool unwritten;
};

struct mappings {
	struct mapping last;
	struct mapping found[MAX_MAPPINGS];
	size_t n;
};

/*
 * Libraries that abstat uses and the spawner never calls; libpfm alone holds a megabyte of
 * relocated tables.
 */
static bool unused_library(const char *line)
{
	static const char *const names[] = {"/libpfm.so", "/libjansson.so", "/libRmath.so"};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (strstr(line, names[i]))
			return true;
	return false;
}

/*
 * A mapping is a line "START-END PERM OFFSET DEVICE INODE PATH" and lines of facts. Of a file that
 * is not written here all pages can be read again, unless some were changed: those that the dynamic
 * linker relocated are read-only now, but not what is in the file.
 */
static void take_line(struct mappings *m, const char *line)
{
	unsigned long start, end, inode, kib;
	char perm[8];

	if (sscanf(line, "%lx-%lx %7s %*s %*s %lu", &start, &end, perm, &inode) == 4) {
		m->last = (struct mapping){.start = start, .end = end};
		m->last.unused = inode && perm[3] == 'p' && unused_library(line);
		m->last.unwritten = inode && perm[3] == 'p' && perm[1] == '-';
	} else if (sscanf(line, "Anonymous: %lu kB", &kib) == 1 && m->n < MAX_MAPPINGS) {
		if (m->last.unused || (m->last.unwritten && kib == 0))
			m->found[m->n++] = m->last;
	}
}

static void find_file_pages(struct mappings *mappings)
{
	int fd = open("/proc/self/smaps", O_RDONLY | O_CLOEXEC);
	char buf[8192];
	size_t used = 0;
	ssize_t n;

	if (fd < 0)
		return;
	while ((n = read(fd, buf + used, sizeof(buf) - 1 - used)) > 0) {
		char *line = buf;
		char *newline;

		used += (size_t)n;
		buf[used] = '\0';
		while ((newline = strchr(line, '\n'))) {
			*newline = '\0';
			take_line(mappings, line);
			line = newline + 1;
		}
		used -= (size_t)(line - buf);
		memmove(buf, line, used);
	}
	close(fd);
}

void footprint_trim(void)
{
	int fd = open("/proc/self/clear_refs", O_WRONLY | O_CLOEXEC);
	struct mappings mappings = {0};

	malloc_trim(0);
	find_file_pages(&mappings);
	/* Last, because finding them takes more of libc than the runs will. */
	for (size_t i = 0; i < mappings.n; i++)
		madvise((void *)mappings.found[i].start,
			mappings.found[i].end - mappings.found[i].start, MADV_DONTNEED);
	if (fd < 0)
		return;
	/* Where the kernel refuses, the mark stays as it is and is reported so. */
	(void)!write(fd, "5", 1);
	close(fd);
}

uint64_t footprint_peak(void)
{
	struct rusage ru;

	return getrusage(RUSAGE_SELF, &ru) ? 0 : (uint64_t)ru.ru_maxrss * 1024;
}
