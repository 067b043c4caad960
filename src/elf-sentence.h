/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What differs between two binaries, in one sentence. */
#ifndef ABSTAT_ELF_SENTENCE_H
#define ABSTAT_ELF_SENTENCE_H

#include "elf-diff.h"

/* The sentence, which the caller frees; NULL if out of memory. */
char *elf_sentence(const struct elf_report *r);

/* "+1 prefetch, −2 loads": the classes that changed between two mixes, instructions first; "" for
 * none. */
char *elf_mix_sentence(const struct insn_mix *old, const struct insn_mix *new);

#endif
