/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What differs between two binaries, printed. */
#ifndef ABSTAT_RENDER_ELF_H
#define ABSTAT_RENDER_ELF_H

#include "elf-page.h"
#include "json-out.h"
#include "output.h"

/* The renderer of FORMAT, "text", "json", "csv" or "markdown"; what it prints is a struct
 * elf_result. */
output_renderer *render_elf_find(const char *format);

output_renderer render_elf_text, render_elf_json, render_elf_csv, render_elf_markdown;

/* The members of the JSON object that say what differs, for the evidence of a comparison too. */
void json_out_elf(struct json_out *o, const struct elf_report *r);

#endif
