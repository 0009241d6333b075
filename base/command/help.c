/* Prints option tables as help, as a man page and as bash completion. */
#include "base/command/help.h"

#include <stdbool.h>
#include <string.h>

#include "base/command/terminal.h"

static const char PURPOSE[] = "exhaustive game solver and retrograde-analysis toolkit";

static const struct {
  const char *code, *meaning;
} exit_codes[] = {
    {"0", "done"},
    {"1", "a claim, or the logic of a table, does not hold"},
    {"64", "wrong usage"},
    {"65", "bad position, or damaged file"},
    {"66", "no table holds the position"},
    {"69", "not enough memory or disk"},
    {"70", "internal error"},
    {"74", "input or output failed"},
    {"75", "stopped with everything kept, or the folder is in use: run the same command again"},
};

enum { LEFT_COLUMN = 22, EXIT_CODES = sizeof exit_codes / sizeof *exit_codes };

static const option help_option = {"help", NULL, "this help", NULL};
static const option_group help_group = {"Help", &help_option, 1};

/* Prints two columns. If the left one is too wide, it gets a line of its own. */
static void print_row(FILE *out, const char *left, const char *right) {
  size_t wide = 2 + terminal_columns(left, strlen(left));
  fprintf(out, "  %s", left);
  if (wide + 2 > LEFT_COLUMN) {
    fputc('\n', out);
    wide = 0;
  }
  fprintf(out, "%*s", (int)(LEFT_COLUMN - wide), "");
  terminal_wrap(out, right, LEFT_COLUMN, LEFT_COLUMN);
}

static void print_group(FILE *out, const option_group *group) {
  fprintf(out, "\n%s:\n", group->title);
  for (size_t i = 0; i < group->n; i++) {
    const option *shown = &group->options[i];
    char left[128];
    snprintf(left, sizeof left, "--%s%s%s", shown->name, shown->argument != NULL ? " " : "",
             shown->argument != NULL ? shown->argument : "");
    print_row(out, left, shown->help);
  }
}

static command_text find_command_text(const command_list *list, const command *shown) {
  const command_text *text = list->texts;
  while (text->name != NULL && strcmp(text->name, shown->name) != 0) text++;
  return text->name != NULL ? *text : (command_text){"", "", "", ""};
}

void help_print_program(FILE *out, const command_list *list) {
  fprintf(out, "Usage: %s COMMAND [ARGUMENT]... [OPTION]...\n\n", HELP_PROGRAM);
  fprintf(out, "Tauler: %s.\n\nCommands:\n", PURPOSE);
  for (size_t i = 0; i < list->n; i++)
    print_row(out, list->commands[i]->name, find_command_text(list, list->commands[i]).summary);
  print_row(out, "help COMMAND", "options and examples of a command; also COMMAND --help");
  print_row(out, "--version, -V", "the version of the program");
  fprintf(out, "\nExit codes:\n");
  for (size_t i = 0; i < EXIT_CODES; i++) print_row(out, exit_codes[i].code, exit_codes[i].meaning);
}

static void print_examples(FILE *out, const char *examples, const char *indent) {
  for (size_t n; *examples != '\0'; examples += n) {
    n = strcspn(examples, "\n") + 1;
    fprintf(out, "%s%.*s", indent, (int)n, examples);
  }
}

void help_print_command(FILE *out, const command_list *list, const command *shown) {
  const command_text text = find_command_text(list, shown);
  fprintf(out, "Usage: %s %s%s%s [OPTION]...\n\n", HELP_PROGRAM, shown->name, shown->arguments ? " " : "",
          shown->arguments ? shown->arguments : "");
  terminal_wrap(out, text.summary, 0, 0);
  if (*text.details != '\0') {
    fputc('\n', out);
    terminal_wrap(out, text.details, 0, 0);
  }
  for (size_t i = 0; shown->groups[i] != NULL; i++) print_group(out, shown->groups[i]);
  print_group(out, &help_group);
  if (*text.examples == '\0') return;
  fprintf(out, "\nExamples:\n");
  print_examples(out, text.examples, "  ");
}

/* Prints text so that scdoc takes no character of it as markup. A single newline becomes a blank. */
static void print_escaped(FILE *out, const char *text) {
  for (; *text != '\0'; text++) {
    if (strchr("\\*_`~[]|#<>+-.", *text) != NULL) fputc('\\', out);
    fputc(*text == '\n' && text[1] != '\n' ? ' ' : *text, out);
  }
}

static void print_man_text(FILE *out, const char *text) {
  while (*text != '\0') {
    const char *end = strstr(text, "\n\n");
    const size_t length = end ? (size_t)(end - text) : strlen(text);
    char paragraph[4096];
    snprintf(paragraph, sizeof paragraph, "%.*s", (int)length, text);
    print_escaped(out, paragraph + strspn(paragraph, " \n"));
    fprintf(out, "\n\n");
    text += length;
    text += strspn(text, " \n");
  }
}

static void print_man_group(FILE *out, const option_group *group) {
  for (size_t i = 0; i < group->n; i++) {
    const option *shown = &group->options[i];
    fprintf(out, "*--%s*", shown->name);
    if (shown->argument != NULL) {
      fprintf(out, " _");
      print_escaped(out, shown->argument);
      fprintf(out, "_");
    }
    fprintf(out, "\n\t");
    print_escaped(out, shown->help);
    fprintf(out, "\n\n");
  }
}

static void print_man_exit_codes(FILE *out) {
  fprintf(out, "# EXIT STATUS\n\n");
  for (size_t i = 0; i < EXIT_CODES; i++) {
    fprintf(out, "*%s*\n\t", exit_codes[i].code);
    print_escaped(out, exit_codes[i].meaning);
    fprintf(out, "\n\n");
  }
}

void help_print_command_man(FILE *out, const command_list *list, const command *shown) {
  const command_text text = find_command_text(list, shown);
  fprintf(out, "%s-%s(1)\n\n# NAME\n\n%s-%s - ", HELP_PROGRAM, shown->name, HELP_PROGRAM, shown->name);
  print_escaped(out, text.summary);
  fprintf(out, "\n\n# SYNOPSIS\n\n*%s %s* ", HELP_PROGRAM, shown->name);
  if (shown->arguments) print_escaped(out, shown->arguments);
  fprintf(out, " \\[OPTION\\]...\n\n");
  if (*text.details != '\0') {
    fprintf(out, "# DESCRIPTION\n\n");
    print_man_text(out, text.details);
  }
  fprintf(out, "# OPTIONS\n\n");
  for (size_t i = 0; shown->groups[i] != NULL; i++) print_man_group(out, shown->groups[i]);
  print_man_exit_codes(out);
  if (*text.examples != '\0') {
    fprintf(out, "# EXAMPLES\n\n```\n");
    print_examples(out, text.examples, "");
    fprintf(out, "```\n\n");
  }
  fprintf(out, "# SEE ALSO\n\n*%s*(1)\n", HELP_PROGRAM);
}

void help_print_man(FILE *out, const command_list *list) {
  fprintf(out, "%s(1)\n\n# NAME\n\n%s - %s\n\n# SYNOPSIS\n\n", HELP_PROGRAM, HELP_PROGRAM, PURPOSE);
  fprintf(out, "*%s* _COMMAND_ \\[_ARGUMENT_\\]... \\[_OPTION_\\]...\n\n# COMMANDS\n\n", HELP_PROGRAM);
  for (size_t i = 0; i < list->n; i++) {
    fprintf(out, "*%s-%s*(1)\n\t", HELP_PROGRAM, list->commands[i]->name);
    print_escaped(out, find_command_text(list, list->commands[i]).summary);
    fprintf(out, "\n\n");
  }
  print_man_exit_codes(out);
}

/* Prints the compgen call for a completion: words, "@dir" and "@file". */
static void print_compgen(FILE *out, const char *completion) {
  bool paths = completion != NULL && strchr(completion, '@') != NULL;
  if (paths) fprintf(out, "compopt -o filenames; ");
  fprintf(out, "mapfile -t COMPREPLY < <(compgen");
  if (completion != NULL && strstr(completion, "@dir") != NULL) fprintf(out, " -d");
  if (completion != NULL && strstr(completion, "@file") != NULL) fprintf(out, " -f");
  fprintf(out, " -W '");
  for (const char *word = completion; word != NULL && *word != '\0';) {
    size_t length = strcspn(word, " ");
    if (*word != '@') fprintf(out, "%.*s ", (int)length, word);
    word += length + strspn(word + length, " ");
  }
  fprintf(out, "' -- \"$word\")");
}

static void print_completion_of_values(FILE *out, const command *shown) {
  for (size_t i = 0; shown->groups[i] != NULL; i++)
    for (size_t j = 0; j < shown->groups[i]->n; j++) {
      const option *completed = &shown->groups[i]->options[j];
      if (completed->argument == NULL) continue;
      fprintf(out, "  %s:--%s) ", shown->name, completed->name);
      if (completed->completion != NULL) {
        print_compgen(out, completed->completion);
        fprintf(out, "; ");
      }
      fprintf(out, "return ;;\n");
    }
}

static void print_completion_of_words(FILE *out, const command *shown) {
  fprintf(out, "  %s:-*) mapfile -t COMPREPLY < <(compgen -W '", shown->name);
  for (size_t i = 0; shown->groups[i] != NULL; i++)
    for (size_t j = 0; j < shown->groups[i]->n; j++) fprintf(out, "--%s ", shown->groups[i]->options[j].name);
  fprintf(out, "--help' -- \"$word\") ;;\n");
  if (shown->arguments_completion == NULL) return;
  fprintf(out, "  %s:*) ", shown->name);
  print_compgen(out, shown->arguments_completion);
  fprintf(out, " ;;\n");
}

/* `games GAME` prints rule sets and flags as "name: …", "name=value|value: …" or "name=value, name=value: …".
 * Bash replaces only the characters after the last "=". */
static const char rules_completion[] =
    "# The rule sets and flags of game $1 that go on what is typed, $2\n"
    "_%1$s_rules() {\n"
    "  local line name value words=() kept=${2%%\"${2##*=}\"} before=\n"
    "  case $2 in *,*) before=${2%%,*}, ;; esac\n"
    "  while read -r line; do\n"
    "    for line in ${line//,/ }; do\n"
    "      name=${line%%%%=*}\n"
    "      case $line in *=*) name+='=' ;; esac\n"
    "      for value in ${line//|/ }; do words+=(\"$name${value#\"$name\"}\"); done\n"
    "    done\n"
    "  done < <(\"${COMP_WORDS[0]}\" games \"$1\" 2>/dev/null | sed -n '/^  --rules/,/^  positions/s/^    "
    "\\([a-z][a-z0-9=|, -]*\\): .*/\\1/p')\n"
    "  mapfile -t COMPREPLY < <(compgen -P \"$before\" -W \"${words[*]}\" -- \"${2##*,}\" | sort -u)\n"
    "  COMPREPLY=(\"${COMPREPLY[@]#\"$kept\"}\")\n"
    "}\n";

void help_print_completion(FILE *out, const command_list *list) {
  fprintf(out, "# shellcheck shell=bash\n");
  fprintf(out, rules_completion, HELP_PROGRAM);
  fprintf(out,
          "_%s() {\n"
          "  local word=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]}\n"
          "  COMPREPLY=()\n"
          "  if [[ ${COMP_LINE:0:COMP_POINT} =~ [[:blank:]]--rules[=[:blank:]]+([^[:blank:]]*)$ ]]; then\n"
          "    _%s_rules \"${COMP_WORDS[2]}\" \"${BASH_REMATCH[1]}\"\n"
          "    return\n"
          "  fi\n"
          "  # bash splits --name=value into three words\n"
          "  if [ \"$word\" = = ]; then word=; fi\n"
          "  if [ \"$previous\" = = ]; then previous=${COMP_WORDS[COMP_CWORD - 2]}; fi\n"
          "  if [ \"$COMP_CWORD\" -eq 1 ] || [ \"$previous\" = help ]; then\n"
          "    mapfile -t COMPREPLY < <(compgen -W '",
          HELP_PROGRAM, HELP_PROGRAM);
  for (size_t i = 0; i < list->n; i++) fprintf(out, "%s ", list->commands[i]->name);
  fprintf(out,
          "help --help --version' -- \"$word\")\n    return\n  fi\n  case ${COMP_WORDS[1]}:$previous in\n");
  for (size_t i = 0; i < list->n; i++) print_completion_of_values(out, list->commands[i]);
  fprintf(out, "  esac\n  case ${COMP_WORDS[1]}:$word in\n");
  for (size_t i = 0; i < list->n; i++) print_completion_of_words(out, list->commands[i]);
  fprintf(out, "  esac\n}\ncomplete -F _%s %s\n", HELP_PROGRAM, HELP_PROGRAM);
}
