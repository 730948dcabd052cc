import { Argument, type Command } from 'commander';
import { print } from '../output/output.ts';
import {
  bashCompletion,
  type CompletionContext,
  fishCompletion,
  zshCompletion,
} from './completion-scripts.ts';

const scripts = { bash: bashCompletion, zsh: zshCompletion, fish: fishCompletion };

/**
 * Adds `catalog completion`: prints a shell script that is generated from the existing commands.
 */
export function addCompletion(program: Command): void {
  program
    .command('completion')
    .description('print a script that completes commands and options in a shell')
    .addArgument(new Argument('<shell>').choices(Object.keys(scripts)))
    .action((shell: keyof typeof scripts) => {
      print(...scripts[shell](completionsOf(program, '')));
    });
}

/** Returns the completions of a command and of all its subcommands. */
function completionsOf(command: Command, path: string): CompletionContext[] {
  const help = command.createHelp();
  const below = help.visibleCommands(command);
  const words = [
    ...below.map((each) => ({ word: each.name(), meaning: each.description() })),
    ...command.registeredArguments.flatMap(({ argChoices = [] }) =>
      argChoices.map((word) => ({ word, meaning: '' })),
    ),
    ...help.visibleOptions(command).map((option) => ({
      word: option.long ?? option.short ?? '',
      meaning: option.description,
    })),
  ];
  const own = command.commands.filter((each) => each.name() !== 'help' && below.includes(each));
  const others = own.flatMap((each) => completionsOf(each, `${path} ${each.name()}`.trim()));
  return [{ path, words }, ...others];
}
