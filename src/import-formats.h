/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The importers, one file each. */
#ifndef ABSTAT_IMPORT_FORMATS_H
#define ABSTAT_IMPORT_FORMATS_H

#include "import.h"

extern const struct importer import_perf_text, import_perf_csv, import_perf_json;
extern const struct importer import_hyperfine, import_gbench, import_gobench;
extern const struct importer import_report, import_columns;

/* True if TEXT, behind blanks, begins with '{'. */
bool import_is_object(const char *text, size_t len);

#endif
