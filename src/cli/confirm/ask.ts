/** Asks a person at a terminal; scripts answer with an option. */
import { createInterface } from 'node:readline/promises'
import type { CommandContext } from '../settings.ts'

/** Whether a person can read the question and answer it. */
const canAsk = ({ terminal: { input, output } }: CommandContext): boolean => output.isTTY && input().isTTY === true

/** Ctrl-C, Ctrl-D and a signal answer no. @returns undefined where there is no one to ask. */
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
