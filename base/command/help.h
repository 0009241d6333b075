/* Prints option tables as help on a terminal, as a man page and as bash completion. The stream keeps write
 * errors (ferror). */
#ifndef BASE_COMMAND_HELP_H
#define BASE_COMMAND_HELP_H

#include <stdio.h>

#include "base/command/command.h"

#define HELP_PROGRAM "tauler"

void help_print_program(FILE *out, const command_list *list);
void help_print_command(FILE *out, const command_list *list, const command *shown);

/* Print scdoc source of tauler(1) and tauler-COMMAND(1). */
void help_print_man(FILE *out, const command_list *list);
void help_print_command_man(FILE *out, const command_list *list, const command *shown);

void help_print_completion(FILE *out, const command_list *list); /* a script for bash to source */

#endif
