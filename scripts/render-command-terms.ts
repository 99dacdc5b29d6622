/** Each command's line in `panji --help`, so that the help prints without loading the commands' dependencies. */
import { Help } from 'commander'
import { buildProgram } from '../src/cli/program.ts'

export async function renderCommandTerms(): Promise<string> {
  const program = await buildProgram(async () => {})
  const help = new Help()
  const terms = program.commands.map((command) => [
    command.name(),
    { term: help.subcommandTerm(command), description: command.description() },
  ])
  return `${JSON.stringify(Object.fromEntries(terms), null, 2)}\n`
}
