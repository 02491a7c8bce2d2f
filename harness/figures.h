/*
 * figures.h - the object `figures` of a scenario with several lanes: what the
 * clients did together (herd.h), and a verdict for each copy.
 *
 * A copy's verdict is the gravest of the checks that judge each lane on its
 * own; those that count over all lanes say nothing about one of them.
 */
#ifndef HARNESS_FIGURES_H
#define HARNESS_FIGURES_H

#include "harness/evidence.h"

/* Adds them to a result, and a line each for people to its `notes`. */
void figures_add(cJSON *result, const struct evidence *e);

#endif
