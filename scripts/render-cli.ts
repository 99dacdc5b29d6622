/** docs/cli.md: every command with its arguments, options and output, as declared in the program. */
import type { Command, Option } from 'commander'
import { sources } from '../config/sources/index.ts'
import { allCommands, buildProgram } from '../src/cli/program.ts'

const head = `<!-- Made by \`npm run docs\` from the declarations of the commands; changes made here are lost. -->

# The command line

\`npx panji <command>\`. A command uses the instance that runs on the data directory, or starts the embedded database for its
own duration. It exits with 0 on success, 1 when the work failed and 2 on wrong usage. What is named and not there, also to \`find\`, is
a failure (\`NOT_FOUND\`); a list without entries is none.

Every command takes \`--json\`: one JSON document on standard output, logs on standard error. \`<user_id>\` may be the account's
e-mail, or the beginning of one of its keys. Sources are ${sources.map(({ name }) => `\`${name}\``).join(', ')}. A file is CSV (separated by commas, semicolons, tabs or \`|\`), JSON Lines or a workbook
(\`.xlsx\`), recognised by its content; texts may come as \`.gz\`, all of them as \`.zip\`.
`

export async function renderCli(): Promise<string> {
  const program = await buildProgram(async () => {})
  const parts = program.commands.map((command) =>
    command.commands.length === 0
      ? section(command, '##')
      : `\n## ${command.name()}\n\n${sentence(command.description())}\n${leaves(command)
          .map((leaf) => section(leaf, '###'))
          .join('')}`,
  )
  return head + parts.join('')
}

const leaves = (command: Command): Command[] => allCommands(command).filter(({ commands }) => commands.length === 0)

function section(command: Command, heading: string): string {
  const options = command.options.filter(({ long, hidden }) => long !== '--json' && !hidden)
  const shape = /\nPrints with --json: (.+)\n/.exec(helpOf(command))?.[1]
  return [
    `\n${heading} panji ${wordsOf(command)}\n`,
    sentence(command.description()),
    `\n\`\`\`text\npanji ${wordsOf(command)} ${command.usage()}\n\`\`\``,
    ...(options.length > 0 ? ['', ...options.map(optionLine)] : []),
    ...(shape === undefined ? [] : [`\nPrints with \`--json\`: ${/^[{[]/.test(shape) ? `\`${shape}\`` : shape}.`]),
    '',
  ].join('\n')
}

function optionLine({ flags, description, argChoices, defaultValue }: Option): string {
  const notes = [
    description,
    argChoices ? `one of ${argChoices.map((choice) => `\`${choice}\``).join(', ')}` : '',
    typeof defaultValue === 'string' || typeof defaultValue === 'number' ? `\`${defaultValue}\` by default` : '',
  ].filter((note) => note !== '')
  return notes.length === 0 ? `- \`${flags}\`` : `- \`${flags}\`: ${notes.join('; ')}`
}

const wordsOf = (command: Command): string =>
  command.parent?.parent ? `${wordsOf(command.parent)} ${command.name()}` : command.name()

const sentence = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`

function helpOf(command: Command): string {
  let help = ''
  command.configureOutput({ writeOut: (text) => (help += text) }).outputHelp()
  return help
}
