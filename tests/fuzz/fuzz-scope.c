/* SPDX-License-Identifier: GPL-2.0-or-later */
/* An ELF file in which everything that can be scoped is listed, found, and not found. */
#include "fuzz.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "elf-file.h"
#include "dwarf-inline.h"
#include "scope-list.h"
#include "scope-target.h"

/* Of a file with many functions, the first ones. */
enum { MOST_FOUND = 20 };

static bool everything(const char *name, void *context)
{
	(void)context;
	return *name != '\0';
}

static void find(const char *path, const char *text)
{
	struct scope_spec spec;
	struct scope_target target;
	char err[2048] = "";

	if (scope_spec_parse(&spec, text, err, sizeof(err))) {
		if (!*err)
			abort();
		return;
	}
	/* Only this file: what it needs is not looked for. */
	free(spec.binary);
	spec.binary = strdup(path);
	*err = '\0';
	if (!scope_target_find(&target, &spec, path, err, sizeof(err)))
		scope_target_release(&target);
	else if (!*err)
		abort();
	scope_spec_release(&spec);
}

static void find_listed(const char *path, const struct scope_listed *entry)
{
	char *text = NULL;

	if (entry->kind == SCOPE_LISTED_MARKER &&
	    asprintf(&text, "%s..%s_", entry->name, entry->name + strlen("usdt:")) >= 0)
		find(path, text);
	else if (entry->kind == SCOPE_LISTED_FUNCTION &&
		 asprintf(&text, "%s+1..+2", entry->name) >= 0)
		find(path, text);
	free(text);
	if (entry->kind != SCOPE_LISTED_MARKER)
		find(path, entry->name);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct scope_list list;
	struct dwarf_inline inlined;
	struct elf_file *f;
	char path[64], err[1024] = "";
	int fd = memfd_create("elf", MFD_CLOEXEC);

	if (fd < 0 || write(fd, data, size) != (ssize_t)size)
		abort();
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	if (!scope_list_read(&list, path, everything, NULL, err, sizeof(err))) {
		for (size_t i = 0; i < list.n && i < MOST_FOUND; i++)
			find_listed(path, &list.v[i]);
		scope_list_release(&list);
	} else if (!*err) {
		abort();
	}
	find(path, "nosuch");
	/* Files of other machines, too. */
	f = elf_file_open_plain(path, err, sizeof(err));
	if (f)
		(void)dwarf_inline_find(&inlined, f, "folded");
	elf_file_free(f);
	close(fd);
	return 0;
}
