/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What JSON has of scopes, besides their metrics. */
#ifndef ABSTAT_RENDER_JSON_SCOPES_H
#define ABSTAT_RENDER_JSON_SCOPES_H

struct json_out;
struct report;
struct report_comparison;
struct report_variant;

/* The member "probing" of a variant: what probing did to the whole; left out where nothing was
 * probed. */
void json_put_probing(struct json_out *o, const struct report *r, const struct report_variant *v);

/* The members "moved", and where there are scopes "narrow", "parts" and "calls_changed", of a
 * comparison. */
void json_put_moved(struct json_out *o, const struct report_comparison *c);

#endif
