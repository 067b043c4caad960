/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Lines of /proc/PID/maps.
 */
#include "scope-mapping.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* One, of a file that can be executed. */
struct mapping {
	uint64_t start, end, offset;
	const char *path;
};

static bool take_line(char *line, struct mapping *m)
{
	char rights[5];
	int at = 0;

	if (sscanf(line, "%" SCNx64 "-%" SCNx64 " %4s %" SCNx64 " %*s %*s %n", &m->start, &m->end,
		   rights, &m->offset, &at) < 4 ||
	    !at || rights[2] != 'x')
		return false;
	m->path = line + at;
	return *m->path == '/';
}

static bool is_file(const struct mapping *m, const struct stat *file)
{
	struct stat is;

	return !stat(m->path, &is) && is.st_dev == file->st_dev && is.st_ino == file->st_ino;
}

/* Takes the next line of TEXT that is one, and cuts it off. */
static bool next(char **text, struct mapping *m)
{
	char *line;

	while ((line = strsep(text, "\n")))
		if (take_line(line, m))
			return true;
	return false;
}

uint64_t mapping_address(const char *maps, const struct stat *file, uint64_t offset)
{
	char *text = strdup(maps), *rest = text;
	uint64_t address = 0;
	struct mapping m;

	while (!address && next(&rest, &m))
		if (offset >= m.offset && offset - m.offset < m.end - m.start && is_file(&m, file))
			address = m.start + (offset - m.offset);
	free(text);
	return address;
}

bool mapping_file(const char *maps, uint64_t address, struct stat *file)
{
	char *text = strdup(maps), *rest = text;
	struct mapping m;
	bool found = false;

	while (!found && next(&rest, &m))
		found = address >= m.start && address < m.end && !stat(m.path, file);
	free(text);
	return found;
}

bool mapping_is_of(const char *maps, uint64_t address, const struct stat *file)
{
	struct stat is;

	return mapping_file(maps, address, &is) && is.st_dev == file->st_dev &&
	       is.st_ino == file->st_ino;
}
