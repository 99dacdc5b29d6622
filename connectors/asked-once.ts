/** What a CRM is asked once in a session: later askers share the first answer. A failure is not kept, nor what is forgotten. */
import { isDeepStrictEqual } from 'node:util'

export class AskedOnce<Answer> {
  readonly #ask: () => Promise<Answer>
  #answer: Promise<Answer> | null = null
  #changes = 0

  constructor(ask: () => Promise<Answer>) {
    this.#ask = ask
  }

  async get(): Promise<Answer> {
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
