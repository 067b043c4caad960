/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds the file that debugging symbols were split off into, where debuggers find it: by build-id
 * under /usr/lib/debug/.build-id, or by the name in .gnu_debuglink.
 */
#include "elf-functions.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define DEBUG_DIRECTORY "/usr/lib/debug"

/* What has no build-id is told from others by its machine alone. */
static bool belongs(const struct elf_file *f, const struct elf_file *debug)
{
	if (f->machine != debug->machine || f->bits != debug->bits)
		return false;
	return !f->facts.build_id || !debug->facts.build_id ||
	       !strcmp(f->facts.build_id, debug->facts.build_id);
}

/* PATH becomes the caller's, or is freed. */
static struct elf_file *try_file(const struct elf_file *f, char *path, char **found)
{
	char err[300];
	struct elf_file *debug =
	    path && !access(path, R_OK) ? elf_file_open_plain(path, err, sizeof(err)) : NULL;

	if (debug && belongs(f, debug)) {
		*found = path;
		return debug;
	}
	elf_file_free(debug);
	free(path);
	return NULL;
}

static char *__attribute__((format(printf, 1, 2))) join(const char *format, ...)
{
	char *path = NULL;
	va_list ap;

	va_start(ap, format);
	if (vasprintf(&path, format, ap) < 0)
		path = NULL;
	va_end(ap);
	return path;
}

/* A name without a path: a hostile file leads nowhere else. */
static bool is_plain_name(const char *name)
{
	return name && *name && !strchr(name, '/') && strcmp(name, "..") != 0;
}

struct elf_file *elf_debug_file_open(const struct elf_file *f, char **path, char **where)
{
	const char *id = f->facts.build_id, *link = f->facts.debug_link;
	struct elf_file *debug = NULL;

	*path = NULL;
	if (where)
		*where = NULL;
	if (id && strlen(id) > 2) {
		debug =
		    try_file(f, join(DEBUG_DIRECTORY "/.build-id/%.2s/%s.debug", id, id + 2), path);
		if (where)
			*where = join(DEBUG_DIRECTORY "/.build-id/%.2s/%s.debug", id, id + 2);
	}
	if (debug || !is_plain_name(link))
		return debug;
	/* The debugging files of a system are in a tree like its own, from the root. */
	char *real = realpath(f->path, NULL);

	if (!real)
		return NULL;
	int directory = (int)(strrchr(real, '/') - real);

	debug = try_file(f, join("%.*s/%s", directory, real, link), path);
	if (!debug)
		debug = try_file(f, join("%.*s/.debug/%s", directory, real, link), path);
	if (!debug)
		debug = try_file(f, join(DEBUG_DIRECTORY "%.*s/%s", directory, real, link), path);
	if (!debug && where && !*where)
		*where = join(DEBUG_DIRECTORY "%.*s/%s", directory, real, link);
	free(real);
	return debug;
}
