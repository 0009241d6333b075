/* The figures of claims that C computes. The command figures opens a rule set, and prints them as JSON. */
#ifndef ANALYSIS_CLAIMS_FIGURES_H
#define ANALYSIS_CLAIMS_FIGURES_H

#include "analysis/claims/claim_tables.h"
#include "base/json.h"

enum { FIGURES_MOST_RULES = 4 };

/* Computes figures by the options in t->job, and adds them to a JSON object. Keeps errors with the tables;
 * the fields mean nothing then. */
typedef void figures(claim_tables *t, json_writer *json);

figures figures_animal_jumps, figures_animal_moves, figures_animal_refuges, figures_animal_traps,
    figures_asesina_blocked, figures_asesina_carried, figures_asesina_choices, figures_asesina_course,
    figures_asesina_course_learned, figures_asesina_course_played, figures_asesina_duties,
    figures_auale_histories, figures_oca_search, figures_phutball_edge_block, figures_phutball_paths,
    figures_phutball_spoil, figures_phutball_ways_back;

#endif
