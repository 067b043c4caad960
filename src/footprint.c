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

struct mapping {
	struct footprint_range range;
	bool unused;
	bool unwritten;
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
 * Touching a page maps up to fifteen others beside it, but none beyond the end of its mapping. With
 * every second page marked otherwise, each page is a mapping of its own and comes alone.
 */
static void split(const struct footprint_range *r)
{
	unsigned long page = (unsigned long)sysconf(_SC_PAGESIZE);

	for (unsigned long at = r->start; at < r->end; at += 2 * page)
		madvise((void *)at, page, MADV_DONTDUMP);
}

/*
 * A mapping is a line "START-END PERM OFFSET DEVICE INODE PATH" and lines of facts. Of a file that
 * is not written here all pages can be read again, unless some were changed: those that the dynamic
 * linker relocated are read-only now, but not what is in the file.
 */
static void take_line(struct footprint *f, struct mapping *m, const char *line)
{
	unsigned long start, end, inode, kib;
	char perm[8];

	if (sscanf(line, "%lx-%lx %7s %*s %*s %lu", &start, &end, perm, &inode) == 4) {
		*m = (struct mapping){.range = {.start = start, .end = end}};
		m->unused = inode && perm[3] == 'p' && unused_library(line);
		m->unwritten = inode && perm[3] == 'p' && perm[1] == '-';
	} else if (sscanf(line, "Anonymous: %lu kB", &kib) == 1 && f->n < FOOTPRINT_RANGES) {
		if (m->unused || (m->unwritten && kib == 0))
			f->ranges[f->n++] = m->range;
		if (!m->unused && m->unwritten && kib == 0)
			split(&m->range);
	}
}

void footprint_init(struct footprint *f)
{
	int fd = open("/proc/self/smaps", O_RDONLY | O_CLOEXEC);
	struct mapping mapping = {0};
	char buf[8192];
	size_t used = 0;
	ssize_t n;

	f->n = 0;
	if (fd < 0)
		return;
	while ((n = read(fd, buf + used, sizeof(buf) - 1 - used)) > 0) {
		char *line = buf;
		char *newline;

		used += (size_t)n;
		buf[used] = '\0';
		while ((newline = strchr(line, '\n'))) {
			*newline = '\0';
			take_line(f, &mapping, line);
			line = newline + 1;
		}
		used -= (size_t)(line - buf);
		memmove(buf, line, used);
	}
	close(fd);
}

void footprint_trim(const struct footprint *f)
{
	int fd = open("/proc/self/clear_refs", O_WRONLY | O_CLOEXEC);

	malloc_trim(0);
	for (size_t i = 0; i < f->n; i++)
		madvise((void *)f->ranges[i].start, f->ranges[i].end - f->ranges[i].start,
			MADV_DONTNEED);
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
