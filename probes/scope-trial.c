/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Opens a probe on an instruction that this process has mapped: then the kernel looks at it. */
#include "scope-trial.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "counter-open.h"
#include "elf-file.h"
#include "file-text.h"
#include "scope-code.h"

static bool is_refusal(int error)
{
	return error == EINVAL || error == EOPNOTSUPP || error == KERNEL_ENOTSUPP;
}

/* What is probed at ADDRESS of the target's file, for a message. */
static void describe(const struct scope_target *target, uint64_t address, char *text, size_t size)
{
	char why[300];
	struct elf_file *f = elf_file_open_plain(target->file, why, sizeof(why));

	*text = '\0';
	if (f)
		scope_code_text(f, address, text, size);
	elf_file_free(f);
}

/* The errno of opening a probe at OFFSET, 0 if it opens. */
static int try_site(const char *path, uint64_t offset, uint32_t type)
{
	struct perf_event_attr attr = {.size = sizeof(attr), .type = type, .disabled = 1};
	uint64_t page = offset & ~(uint64_t)(sysconf(_SC_PAGESIZE) - 1);
	int file = open(path, O_RDONLY | O_CLOEXEC), error = 0;
	void *code;

	if (file < 0)
		return 0;
	/* Two pages: an instruction may go over the end of one. */
	code = mmap(NULL, 2 * (size_t)sysconf(_SC_PAGESIZE), PROT_READ | PROT_EXEC, MAP_PRIVATE,
		    file, (off_t)page);
	close(file);
	if (code == MAP_FAILED)
		return 0;
	attr.config1 = (uintptr_t)path;
	attr.config2 = offset;
	int fd = counter_open(&attr, 0, -1, -1);

	if (fd >= 0)
		close(fd);
	else
		error = -fd;
	munmap(code, 2 * (size_t)sysconf(_SC_PAGESIZE));
	return error;
}

static int refuse(const struct scope_target *target, uint64_t address, const char *where, char *err,
		  size_t err_size)
{
	char text[160];

	describe(target, address, text, sizeof(text));
	snprintf(err, err_size,
		 "'%s' in %s %s an instruction that the kernel cannot probe (%s): scope a range "
		 "that leaves it out (FUNC+0x10..FUNC+0x40), or what calls it",
		 target->symbol, target->file, where, text);
	return -EINVAL;
}

int scope_trial(const struct scope_target *target, char *err, size_t err_size)
{
	int64_t type = file_number(-1, "/sys/bus/event_source/devices/uprobe/type");
	int error = 0;

	if (type < 0 || !target->file ||
	    (target->kind != SCOPE_FUNCTION && target->kind != SCOPE_RANGE))
		return 0;
	/* Of the classes but one, the kernel emulates or steps each instruction. */
	if (target->begin.first == SCOPE_CLASS_STEPPED)
		error = try_site(target->file, target->begin.offset, (uint32_t)type);
	if (is_refusal(error))
		return refuse(target, target->address, "begins with", err, err_size);
	if (target->kind == SCOPE_RANGE && target->ends[0].first == SCOPE_CLASS_STEPPED)
		error = try_site(target->file, target->ends[0].offset, (uint32_t)type);
	if (is_refusal(error))
		return refuse(target,
			      target->address + (target->ends[0].offset - target->begin.offset),
			      "ends at", err, err_size);
	return 0;
}
