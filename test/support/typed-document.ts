/**
 * A document of commands and their output: `sh` blocks, each followed by a `json` or `text` block where the output is
 * shown. `…` stands for varying text.
 */

export interface TypedStep {
  readonly command: string
  /** The output as the document shows it. */
  readonly shown: string | undefined
}

export function stepsOf(markdown: string): TypedStep[] {
  const blocks = [...markdown.matchAll(/```(sh|json)\n(.*?)```/gs)].map(([, kind, text = '']) => ({ kind, text }))
  return blocks.flatMap(({ kind, text }, index) => {
    if (kind !== 'sh') return []
    const next = blocks[index + 1]
    return [{ command: text.trim(), shown: next?.kind === 'json' ? next.text.trim() : undefined }]
  })
}

/** `NAME=value…` lines of a block that only sets values from earlier output. */
export function assignmentsOf(command: string): string[] {
  const names = command.split('\n').map((line) => /^([A-Z]+)=\S+$/.exec(line)?.[1])
  return names.every((name) => name !== undefined) ? names : []
}

/** Whether the output matches the document, apart from `…` and line breaks. */
export function isShown(answer: unknown, shown: string): boolean {
  const parts = shown.split('…').map((part) => part.split(/\s+/).map(literally).join('\\s*'))
  return new RegExp(`^${parts.join('.*')}$`, 's').test(JSON.stringify(answer))
}

/** The lines of one `sh` block, with the output that the page shows for them. */
export interface ShellBlock {
  readonly lines: readonly string[]
  /** By line, as it is typed. */
  readonly shown: ReadonlyMap<string, string>
}

/** A `text` block shows the output of the line after its `$ `, or otherwise of the last line above it. */
export function shellBlocksOf(markdown: string): ShellBlock[] {
  const blocks = [...markdown.matchAll(/```(sh|text)\n(.*?)```/gs)].map(([, kind, text = '']) => ({ kind, text }))
  return blocks.flatMap(({ kind, text }, index) => {
    if (kind !== 'sh') return []
    const lines = text.split('\n').filter(Boolean)
    const next = blocks[index + 1]
    return [{ lines, shown: next?.kind === 'text' ? answersIn(next.text, lines.at(-1) ?? '') : new Map() }]
  })
}

function answersIn(text: string, lastLine: string): Map<string, string> {
  const whole = text.startsWith('$ ') ? text : `$ ${shellLine(lastLine).text}\n${text}`
  return new Map(
    whole.split(/^\$ /m).flatMap((part) => {
      const [line = '', ...answer] = part.trimEnd().split('\n')
      return line === '' ? [] : [[line, answer.join('\n')]]
    }),
  )
}

/**
 * Whether a command printed what the page shows: line by line, ignoring runs of spaces. A line `…` stands for any
 * lines, `…` within a line for any part of it.
 */
export function isPrinted(printed: string, shown: string): boolean {
  const plain = (text: string) =>
    text
      .trimEnd()
      .split('\n')
      .map((line) => line.trim().replace(/\s+/g, ' '))
  const parts = plain(shown).map((line) =>
    line === '…' ? '(?:.*\\n)*?' : `${line.split('…').map(literally).join('.*')}\\n`,
  )
  return new RegExp(`^${parts.join('')}$`).test(`${plain(printed).join('\n')}\n`)
}

const literally = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')

export interface ShellLine {
  /** Without its comment, with single spaces. */
  readonly text: string
  /** `NAME=value` before the command. */
  readonly env: Readonly<Record<string, string>>
  readonly words: readonly string[]
  /** The file after `>`. */
  readonly into: string | undefined
}

/**
 * Parses one line of a shell block, as far as the documents use the shell: quotes, a comment, variables before it, one
 * redirection.
 */
export function shellLine(line: string): ShellLine {
  const pieces = [...line.matchAll(/(?:'[^']*'|"[^"]*"|[^\s'"])+/g)].map(([piece]) => piece)
  const comment = pieces.findIndex((piece) => piece.startsWith('#'))
  const meant = comment < 0 ? pieces : pieces.slice(0, comment)
  const plain = meant.map((piece) =>
    piece.replace(/'([^']*)'|"([^"]*)"/g, (_, one?: string, two?: string) => one ?? two ?? ''),
  )
  const assigned = plain.findIndex((word) => !/^[A-Z_]+=/.test(word))
  const redirected = meant.indexOf('>')
  const env = plain.slice(0, assigned).map((word) => [word.split('=')[0] ?? '', word.replace(/^[^=]+=/, '')])
  return {
    text: meant.join(' '),
    env: Object.fromEntries(env) as Record<string, string>,
    words: plain.slice(assigned, redirected < 0 ? undefined : redirected),
    into: redirected < 0 ? undefined : plain[redirected + 1],
  }
}
