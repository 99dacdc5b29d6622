/** What a CRM is asked once in a session: later askers share the first answer. A failure is not kept, nor what is forgotten. */
import { isDeepStrictEqual } from 'node:util'

export class AskedOnce<Answer> {
  readonly #ask: () => Promise<Answer>
  readonly #goodForMs: number
  readonly #now: () => number
  #answer: Promise<Answer> | null = null
  #askedAt = 0
  #changes = 0

  /** @param goodForMs after which it is asked anew, of CRMs that pass over in silence what changed meanwhile. */
  constructor(
    ask: () => Promise<Answer>,
    goodForMs = Number.POSITIVE_INFINITY,
    now: () => number = () => performance.now(),
  ) {
    this.#ask = ask
    this.#goodForMs = goodForMs
    this.#now = now
  }

  async get(): Promise<Answer> {
    if (this.#now() - this.#askedAt >= this.#goodForMs) this.#answer = null
    if (this.#answer === null) this.#askedAt = this.#now()
    this.#answer ??= this.#ask()
    try {
      return await this.#answer
    } catch (error) {
      this.#answer = null
      throw error
    }
  }

  /** How often the answer became another one. */
  get changes(): number {
    return this.#changes
  }

  /** Asks anew, where it was asked. */
  async renew(): Promise<void> {
    if (this.#answer === null) return
    const before = await this.#answer
    this.#answer = null
    if (!isDeepStrictEqual(await this.get(), before)) this.#changes += 1
  }

  /** It is asked for anew. */
  forget(): void {
    this.#answer = null
  }
}
