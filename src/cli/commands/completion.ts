/** `panji completion`: a script that lets a shell finish the words of Panji's commands. */
import { Argument } from 'commander'
import { completionScript, type Shell, shells } from '../completion-script.ts'
import type { Declare } from './command.ts'

export const declareCompletion: Declare = (program, run) => {
  program
    .command('completion')
    .description('print a script that completes commands: bash, zsh or fish')
    .addArgument(new Argument('<shell>', 'which shell reads it').choices([...shells]))
    .action((shell: Shell) =>
      run(async ({ out }) => {
        const script = completionScript(program, shell)
        out.answer({ shell, script }, () => script)
      }),
    )
}
