/**
 * A document of commands and the answers they had: `sh` blocks, each followed by a `json` block where the answer is shown.
 * `…` stands for what differs.
 */

export interface TypedStep {
  readonly command: string
  /** The answer as the document shows it. */
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

/** `NAME=value…` lines of a block that only sets what earlier answers gave. */
export function assignmentsOf(command: string): string[] {
  const names = command.split('\n').map((line) => /^([A-Z]+)=\S+$/.exec(line)?.[1])
  return names.every((name) => name !== undefined) ? names : []
}

/** Whether the answer is what the document shows, but for `…` and the line breaks. */
export function isShown(answer: unknown, shown: string): boolean {
  const parts = shown.split('…').map((part) => part.split(/\s+/).map(literally).join('\\s*'))
  return new RegExp(`^${parts.join('.*')}$`, 's').test(JSON.stringify(answer))
}

const literally = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')

export interface ShellLine {
  /** Without its comment, spaces as one. */
  readonly text: string
  /** `NAME=value` before the command. */
  readonly env: Readonly<Record<string, string>>
  readonly words: readonly string[]
  /** The file that `>` names. */
  readonly into: string | undefined
}

/** One line of a shell block, as far as the documents use the shell: quotes, a comment, variables before it, one redirection. */
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
