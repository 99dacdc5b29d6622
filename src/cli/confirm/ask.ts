/** Asks a person at a terminal; a script answers by an option. */
import { createInterface } from 'node:readline/promises'
import type { CommandContext } from '../settings.ts'

/** Whether somebody reads what is asked, and can answer. */
const canAsk = ({ terminal: { input, output } }: CommandContext): boolean => output.isTTY && input().isTTY === true

/** Ctrl-C, Ctrl-D and a signal answer no. @returns undefined where nobody can be asked. */
export async function asks(context: CommandContext, question: string): Promise<boolean | undefined> {
  if (!canAsk(context)) return undefined
  const { input, output } = context.terminal
  const dialogue = createInterface({ input: input(), output })
  const end = () => dialogue.close()
  context.signal.addEventListener('abort', end)
  try {
    const closed = new Promise<string>((resolve) => {
      dialogue.once('close', () => resolve('n'))
    })
    if (context.signal.aborted) return false
    const answer = await Promise.race([dialogue.question(`${question} [y/N] `), closed])
    return /^y(es)?$/i.test(answer.trim())
  } finally {
    context.signal.removeEventListener('abort', end)
    dialogue.close()
  }
}
