// What shells complete: verbs, options, the words of an option, and files.
#include <stdio.h>
#include <string.h>

#include "cli/manual/manual.h"

/// In single quotes; up to the first line's end, and without quotes of its own.
static void quote(const char *text)
{
    putchar('\'');
    for (const char *c = text; *c != '\0' && *c != '\n'; c++) {
        if (*c != '\'' && *c != '[' && *c != ']' && *c != ':') {
            putchar(*c);
        }
    }
    putchar('\'');
}

static bool takes_value(const TactOption *option)
{
    return option->kind != TACT_OPTION_FLAG;
}

/// "*.xml|*.urdf", or the like, from "xml urdf".
static void print_endings(const char *files, const char *before, const char *between)
{
    while (*files != '\0') {
        size_t length = strcspn(files, " ");
        printf("%s%.*s", before, (int)length, files);
        files += length + (files[length] != '\0');
        printf("%s", *files != '\0' ? between : "");
    }
}

// ---------------------------------------------------------------------------------------------
// bash

static void bash_verb(const TactCliVerbLine *verb)
{
    const TactOptionTable *table = verb->options ? verb->options() : NULL;
    printf("    %s)\n", verb->name);
    for (int i = 0; table && i < tact_options_count(table); i++) {
        const TactOption *option = tact_options_at(table, i);
        if (option->words) {
            printf("        [[ $before == %s ]] && words='", option->name);
            for (int k = 0; option->words[k]; k++) {
                printf(k == 0 ? "%s" : " %s", option->words[k]);
            }
            printf("'\n");
        } else if (takes_value(option)) {
            printf("        [[ $before == %s ]] && words= && any=1\n", option->name);
        }
    }
    printf("        [[ $word == -* ]] && words='");
    for (int i = 0; table && i < tact_options_count(table); i++) {
        printf(i == 0 ? "%s" : " %s", tact_options_at(table, i)->name);
    }
    printf("'\n        files='");
    print_endings(verb->files, "", "|");
    printf("'\n        ;;\n");
}

static void bash(const TactCliVerbLine *verbs, int count)
{
    printf("# bash completion of tact; made by `tact manual --completion bash`\n_tact()\n{\n"
           "    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]}\n"
           "    local words= files= any=\n    COMPREPLY=()\n"
           "    if ((COMP_CWORD == 1)); then\n        COMPREPLY=($(compgen -W '");
    for (int i = 0; i < count; i++) {
        printf("%s ", verbs[i].name);
    }
    printf("--help --version' -- \"$word\"))\n        return\n    fi\n"
           "    case ${COMP_WORDS[1]} in\n");
    for (int i = 0; i < count; i++) {
        bash_verb(&verbs[i]);
    }
    printf("    esac\n"
           "    if [[ -n $words ]]; then\n"
           "        COMPREPLY=($(compgen -W \"$words\" -- \"$word\"))\n"
           "    elif [[ -n $any || -z $files ]]; then\n"
           "        COMPREPLY=($(compgen -f -- \"$word\"))\n"
           "    else\n"
           "        shopt -q extglob || local reset=1\n        shopt -s extglob\n"
           "        COMPREPLY=($(compgen -f -X \"!*.@($files)\" -- \"$word\") "
           "$(compgen -d -- \"$word\"))\n"
           "        [[ -z $reset ]] || shopt -u extglob\n"
           "    fi\n}\ncomplete -o filenames -F _tact tact\n");
}

// ---------------------------------------------------------------------------------------------
// zsh

static void zsh_option(const TactOption *option)
{
    printf("            '%s[", option->name);
    for (const char *c = option->says; *c != '\0' && *c != '\n'; c++) {
        if (*c != '\'' && *c != '[' && *c != ']' && *c != ':') {
            putchar(*c);
        }
    }
    putchar(']');
    if (option->words) {
        printf(":%s:(", option->value);
        for (int k = 0; option->words[k]; k++) {
            printf(k == 0 ? "%s" : " %s", option->words[k]);
        }
        putchar(')');
    } else if (takes_value(option)) {
        printf(":%s:_files", option->value);
    }
    printf("' \\\n");
}

static void zsh(const TactCliVerbLine *verbs, int count)
{
    printf("#compdef tact\n# zsh completion of tact; made by `tact manual --completion zsh`\n"
           "_tact()\n{\n    local -a verbs\n    verbs=(\n");
    for (int i = 0; i < count; i++) {
        printf("        %s:", verbs[i].name);
        quote(verbs[i].says);
        putchar('\n');
    }
    printf("    )\n    if ((CURRENT == 2)); then\n        _describe verb verbs\n        return\n"
           "    fi\n    local verb=$words[2]\n    shift words\n    ((CURRENT--))\n"
           "    case $verb in\n");
    for (int i = 0; i < count; i++) {
        const TactOptionTable *table = verbs[i].options ? verbs[i].options() : NULL;
        printf("    %s)\n        _arguments \\\n", verbs[i].name);
        for (int k = 0; table && k < table->count; k++) {
            zsh_option(&table->options[k]);
        }
        printf("            '*:file:_files");
        if (verbs[i].files[0] != '\0') {
            printf(" -g \"*.(");
            print_endings(verbs[i].files, "", "|");
            printf(")(-.)\"");
        }
        printf("'\n        ;;\n");
    }
    printf("    esac\n}\n_tact \"$@\"\n");
}

// ---------------------------------------------------------------------------------------------
// fish

static void fish(const TactCliVerbLine *verbs, int count)
{
    printf("# fish completion of tact; made by `tact manual --completion fish`\n"
           "complete -c tact -f -n __fish_use_subcommand -l help -d 'this'\n"
           "complete -c tact -f -n __fish_use_subcommand -l version\n");
    for (int i = 0; i < count; i++) {
        printf("complete -c tact -f -n __fish_use_subcommand -a %s -d ", verbs[i].name);
        quote(verbs[i].says);
        putchar('\n');
        const TactOptionTable *table = verbs[i].options ? verbs[i].options() : NULL;
        for (int k = 0; table && k < table->count; k++) {
            const TactOption *option = &table->options[k];
            printf("complete -c tact -n '__fish_seen_subcommand_from %s' -l %s", verbs[i].name,
                   option->name + 2);
            if (option->words) {
                printf(" -x -a '");
                for (int w = 0; option->words[w]; w++) {
                    printf(w == 0 ? "%s" : " %s", option->words[w]);
                }
                putchar('\'');
            } else if (takes_value(option)) {
                printf(" -r");
            }
            printf(" -d ");
            quote(option->says);
            putchar('\n');
        }
    }
}

void tact_manual_complete(TactShell shell)
{
    int                    count = 0;
    const TactCliVerbLine *verbs = tact_cli_verbs(&count);
    switch (shell) {
    case TACT_BASH: bash(verbs, count); break;
    case TACT_ZSH: zsh(verbs, count); break;
    case TACT_FISH: fish(verbs, count); break;
    }
}
