/** What a CRM is asked once in a session: later askers share the first answer. A failure is not kept, nor what is forgotten. */
export class AskedOnce<Answer> {
  readonly #ask: () => Promise<Answer>
  #answer: Promise<Answer> | null = null

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

  /** It is asked for anew. */
  forget(): void {
    this.#answer = null
  }
}
