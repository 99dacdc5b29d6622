/**
 * What is known of each test file without any mutation: whether it passes, how long it takes, and what it calls. Kept
 * over runs until the file or the code changes.
 */
import { createHash } from 'node:crypto'
import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { z } from 'zod'
import type { Trial } from './workshop.ts'

const Known = z.object({
  /** A hash of the test file and the code. */
  key: z.string(),
  test: z.string(),
  outcome: z.enum(['green', 'red', 'timeout', 'no program']),
  milliseconds: z.number(),
  calls: z.array(z.string()),
})
export type Known = z.infer<typeof Known>

export class KnownTests {
  readonly #path: string
  readonly #code: string
  readonly #known = new Map<string, Known>()

  /** @param code a hash of all that a test may reach */
  constructor(path: string, code: string) {
    this.#path = path
    this.#code = code
  }

  /** Read again, because runs of other slices write it too. */
  #kept(key: string): Known | undefined {
    if (!this.#known.has(key) && existsSync(this.#path))
      for (const line of readFileSync(this.#path, 'utf8').split('\n').filter(Boolean)) {
        const known = Known.parse(JSON.parse(line))
        this.#known.set(known.key, known)
      }
    return this.#known.get(key)
  }

  /** Runs the test if nothing is known of it yet. */
  async of(test: string, text: string, trial: () => Promise<Trial>): Promise<Known> {
    const key = createHash('sha256').update(`${this.#code}\0${test}\0${text}`).digest('hex')
    const before = this.#kept(key)
    if (before) return before
    const { outcome, milliseconds, calls, by } = await trial()
    if (outcome !== 'green')
      console.log(`${test} is left out: without any change it is ${outcome}${by === undefined ? '' : `: ${by}`}`)
    const known = { key, test, outcome, milliseconds, calls: [...(calls ?? [])] }
    this.#known.set(key, known)
    mkdirSync(dirname(this.#path), { recursive: true })
    appendFileSync(this.#path, `${JSON.stringify(known)}\n`)
    return known
  }
}
