/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What libFuzzer, or the replay of a corpus without it, calls. */
#ifndef ABSTAT_FUZZ_H
#define ABSTAT_FUZZ_H

#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#endif
