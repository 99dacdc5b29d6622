/** Asks a person at a terminal; a script answers by an option. */
import { createInterface } from 'node:readline/promises'

/** @returns undefined where nobody can be asked. */
export async function asks(question: string): Promise<boolean | undefined> {
  if (!process.stdin.isTTY || !process.stderr.isTTY) return undefined
  const dialogue = createInterface({ input: process.stdin, output: process.stderr })
  try {
    return /^y(es)?$/i.test((await dialogue.question(`${question} [y/N] `)).trim())
  } finally {
    dialogue.close()
  }
}
