/** `panji completion`: a script that lets a shell complete Panji's commands. */
import { Argument } from 'commander'
import { completionScript, type Shell, shells } from '../completion-script.ts'
import type { Declare } from './command.ts'

export const declareCompletion: Declare = (program, run) => {
  program
    .command('completion')
    .description('print a completion script for bash, zsh or fish')
    .addArgument(new Argument('<shell>', 'shell to print it for').choices([...shells]))
    .action((shell: Shell) =>
      run(async ({ out }) => {
        const script = completionScript(program, shell)
        out.answer({ shell, script }, () => script)
      }),
    )
}
