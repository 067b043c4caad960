/* SPDX-License-Identifier: GPL-2.0-or-later */
/* An ELF file compared with itself, in which one byte was changed. */
#include "fuzz.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "elf-diff.h"
#include "elf-listing.h"

static struct elf_file *read_bytes(const uint8_t *data, size_t size)
{
	char err[300] = "";
	int fd = memfd_create("elf", MFD_CLOEXEC);

	if (fd < 0)
		return NULL;
	struct elf_file *f = NULL;

	if (write(fd, data, size) == (ssize_t)size)
		f = elf_file_read(fd, "FILE", err, sizeof(err));
	if (!f && !*err)
		abort();
	close(fd);
	return f;
}

static void compare(struct elf_file *old, struct elf_file *new)
{
	const struct elf_diff_options options = {.compressed = true};
	struct elf_pair pair;
	struct elf_report report;
	struct elf_listing listing;
	char err[300];

	if (!elf_pair_init(&pair, old, new) &&
	    !elf_report_make(&report, &pair, &options, err, sizeof(err))) {
		for (size_t i = 0; i < report.n_functions && i < 4; i++) {
			(void)elf_listing_make(&listing, &pair, report.functions[i].name, err,
					       sizeof(err));
			elf_listing_release(&listing);
		}
		elf_report_release(&report);
	}
	elf_pair_release(&pair);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	uint8_t *copy = malloc(size + 1);
	struct elf_file *old = read_bytes(data, size), *new = NULL;

	if (copy && old) {
		memcpy(copy, data, size);
		/* The size chooses the byte, so that a corpus is made of plain files. */
		copy[size * 2 / 3] ^= 16;
		new = read_bytes(copy, size);
	}
	if (new)
		compare(old, new);
	elf_file_free(new);
	elf_file_free(old);
	free(copy);
	return 0;
}
