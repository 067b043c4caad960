/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Runs a fuzz target on the files of a corpus, and on every one cut short, without libFuzzer. */
#include "fuzz.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_BYTES = 1 << 20, CUTS = 64 };

static void run(const uint8_t *data, size_t size)
{
	/* A copy of just that size, so that a read beyond its end is seen. */
	uint8_t *copy = malloc(size ? size : 1);

	if (!copy)
		exit(99);
	memcpy(copy, data, size);
	LLVMFuzzerTestOneInput(copy, size);
	free(copy);
}

static int replay(const char *directory, const char *name)
{
	static uint8_t data[MAX_BYTES];
	char path[4096];
	size_t size;
	FILE *f;

	snprintf(path, sizeof(path), "%s/%s", directory, name);
	f = fopen(path, "re");
	if (!f) {
		perror(path);
		return 1;
	}
	size = fread(data, 1, sizeof(data), f);
	fclose(f);
	for (size_t cut = 0; cut <= CUTS; cut++)
		run(data, size * cut / CUTS);
	return 0;
}

int main(int argc, char **argv)
{
	int failed = argc < 2;
	size_t n = 0;

	for (int i = 1; i < argc; i++) {
		DIR *directory = opendir(argv[i]);
		struct dirent *entry;

		if (!directory) {
			perror(argv[i]);
			return 1;
		}
		while ((entry = readdir(directory))) {
			if (entry->d_name[0] == '.')
				continue;
			failed |= replay(argv[i], entry->d_name);
			n++;
		}
		closedir(directory);
	}
	printf("%zu files\n", n);
	return failed || !n;
}
