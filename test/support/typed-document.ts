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
