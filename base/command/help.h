/* The same option tables as help on a terminal, as a man page and as bash completion.
 *
 * Everything is printed to the stream given; write errors stay in it (ferror). No state is kept.
 */
#ifndef BASE_COMMAND_HELP_H
#define BASE_COMMAND_HELP_H

#include <stdio.h>

#include "base/command/command.h"

#define HELP_PROGRAM "tauler"

/* The commands with one line each. */
void help_print_program(FILE *out, const command *const *commands, size_t n);

/* Synopsis, what it does, the options aligned, examples. */
void help_print_command(FILE *out, const command *shown);

/* As scdoc source: tauler(1), which names the commands; tauler-COMMAND(1). */
void help_print_man(FILE *out, const command *const *commands, size_t n);
void help_print_command_man(FILE *out, const command *shown);

/* A script to be sourced by bash. */
void help_print_completion(FILE *out, const command *const *commands, size_t n);

#endif
