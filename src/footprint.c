/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Most of a small process is the parts of libc that it has touched and will not touch again.
 */
#include "footprint.h"

#include <fcntl.h>
#include <malloc.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

struct mapping {
	unsigned long start;
	unsigned long end;
	bool droppable;
};

/*
 * A mapping is a line "START-END PERM OFFSET DEVICE INODE PATH" and lines of facts. Of a file that is not written
 * here all pages can be read again, unless some were changed: those that the dynamic linker relocated are read-only now, but
 * not what is in the file.
 */
static void take_line(struct mapping *m, const char *line)
{
	unsigned long start, end, inode, kib;
	char perm[8];

	if (sscanf(line, "%lx-%lx %7s %*s %*s %lu", &start, &end, perm, &inode) == 4)
		*m = (struct mapping){start, end, inode && perm[1] == '-' && perm[3] == 'p'};
	else if (sscanf(line, "Anonymous: %lu kB", &kib) == 1 && m->droppable && kib == 0)
		madvise((void *)m->start, m->end - m->start, MADV_DONTNEED);
}

static void drop_file_pages(void)
{
	int fd = open("/proc/self/smaps", O_RDONLY | O_CLOEXEC);
	struct mapping mapping = {0};
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
			take_line(&mapping, line);
			line = newline + 1;
		}
		used -= (size_t)(line - buf);
		memmove(buf, line, used);
	}
	close(fd);
}

void footprint_trim(void)
{
	int fd;

	malloc_trim(0);
	drop_file_pages();
	fd = open("/proc/self/clear_refs", O_WRONLY | O_CLOEXEC);
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
