/** Shell completion as a script: the commands, argument values and options that may follow each command. */
import type { Command } from 'commander'

export const shells = ['bash', 'zsh', 'fish'] as const
export type Shell = (typeof shells)[number]

/** A command by its path, `/account/key`, and what may follow it. */
interface Place {
  readonly path: string
  readonly words: readonly string[]
}

export function completionScript(program: Command, shell: Shell): string {
  const places = placesOf(program, '')
  return shell === 'fish' ? fishScript(places) : bashScript(places, shell)
}

function placesOf(command: Command, path: string): Place[] {
  const below = command.commands.flatMap((each) => placesOf(each, `${path}/${each.name()}`))
  const words = [
    ...command.commands.map((each) => each.name()),
    ...command.registeredArguments.flatMap(({ argChoices }) => argChoices ?? []),
    ...command.options.flatMap(({ long, hidden }) => (hidden ? [] : (long ?? []))),
    '--help',
  ]
  return [{ path, words }, ...below]
}

/**
 * Where nothing else fits, the shell offers file names itself (`-o default`), because commands take files. zsh reads the
 * same script.
 */
function bashScript(places: readonly Place[], shell: 'bash' | 'zsh'): string {
  const known = places.filter(({ path }) => path !== '').map(({ path }) => `"${path}"`)
  return [
    ...(shell === 'zsh' ? ['autoload -U +X bashcompinit && bashcompinit'] : []),
    '_panji() {',
    `  local at="" word words="" typed="\${COMP_WORDS[COMP_CWORD]}"`,
    `  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do`,
    '    case "$at/$word" in',
    `      ${known.join(' | ')}) at="$at/$word" ;;`,
    '    esac',
    '  done',
    '  case "$at" in',
    ...places.map(({ path, words }) => `    "${path}") words="${words.join(' ')}" ;;`),
    '  esac',
    '  COMPREPLY=($(compgen -W "$words" -- "$typed"))',
    '}',
    'complete -o default -F _panji panji',
  ].join('\n')
}

function fishScript(places: readonly Place[]): string {
  const known = places.filter(({ path }) => path !== '').map(({ path }) => path)
  return [
    'function __panji_at',
    '  set -l at ""',
    '  for word in (commandline -opc)[2..-1]',
    `    contains -- "$at/$word" ${known.join(' ')}; and set at "$at/$word"`,
    '  end',
    '  test "$at" = "$argv[1]"',
    'end',
    ...places.map(({ path, words }) => `complete -c panji -n '__panji_at "${path}"' -a '${words.join(' ')}'`),
  ].join('\n')
}
