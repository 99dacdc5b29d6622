/** Caches a CRM's answer for a session; concurrent callers share one request. Failures are not cached. */
import { isDeepStrictEqual } from 'node:util'

export class CachedAnswer<Answer> {
  readonly #ask: () => Promise<Answer>
  readonly #goodForMs: number
  readonly #now: () => number
  #answer: Promise<Answer> | null = null
  #askedAt = 0
  #changes = 0

  /** @param goodForMs maximum age, for CRMs that report no error when the answer is outdated. */
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

  /** How often a renewal returned a different answer. */
  get changes(): number {
    return this.#changes
  }

  /** Requests the answer again, if it was requested before. */
  async renew(): Promise<void> {
    if (this.#answer === null) return
    const before = await this.#answer
    this.#answer = null
    if (!isDeepStrictEqual(await this.get(), before)) this.#changes += 1
  }

  /** Drops the cached answer. */
  forget(): void {
    this.#answer = null
  }
}
