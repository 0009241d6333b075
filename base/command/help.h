/* Prints the same option tables as help on a terminal, as a man page and as bash completion.
 *
 * Everything is printed to the given stream, which keeps write errors (ferror). No state is kept.
 */
#ifndef BASE_COMMAND_HELP_H
#define BASE_COMMAND_HELP_H

#include <stdio.h>

#include "base/command/command.h"

#define HELP_PROGRAM "tauler"

/* Prints all commands and exit codes, one per line. */
void help_print_program(FILE *out, const command_list *list);

/* Prints synopsis, purpose, options and examples of a command. */
void help_print_command(FILE *out, const command_list *list, const command *shown);

/* Print scdoc source of tauler(1), which lists the commands, and of tauler-COMMAND(1). */
void help_print_man(FILE *out, const command_list *list);
void help_print_command_man(FILE *out, const command_list *list, const command *shown);

/* Prints a script for bash to source. */
void help_print_completion(FILE *out, const command_list *list);

#endif
