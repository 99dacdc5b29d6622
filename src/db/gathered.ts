/**
 * Questions of one kind that are asked at the same time go to the database in one statement: a round trip costs more than
 * what most of them ask for. Each is answered by a statement that begins after it was asked, so that what was committed
 * before counts for it.
 */

interface Waiting<Q, A> {
  readonly question: Q
  readonly resolve: (answer: A) => void
  readonly reject: (error: unknown) => void
}

export interface GatheringBounds {
  /** Questions of one statement. */
  readonly batchMax: number
  /** Statements under way at a time; what is asked meanwhile waits for the first that ends. */
  readonly atOnce: number
}

/** @param answerAll gives an answer for each question, in their order; where it throws, all of them fail so. */
export function gathered<Q, A>(
  answerAll: (questions: readonly Q[]) => Promise<readonly A[]>,
  { batchMax, atOnce }: GatheringBounds,
): (question: Q) => Promise<A> {
  let waiting: Waiting<Q, A>[] = []
  let running = 0

  function answerNext(): void {
    while (waiting.length > 0 && running < atOnce) {
      const batch = waiting.slice(0, batchMax)
      waiting = waiting.slice(batchMax)
      void answer(batch)
    }
  }

  async function answer(batch: readonly Waiting<Q, A>[]): Promise<void> {
    running++
    try {
      const answers = await answerAll(batch.map(({ question }) => question))
      for (const [index, { resolve }] of batch.entries()) resolve(answers[index] as A)
    } catch (error) {
      for (const { reject } of batch) reject(error)
    } finally {
      running--
      answerNext()
    }
  }

  return (question) =>
    new Promise((resolve, reject) => {
      waiting.push({ question, resolve, reject })
      // After the sockets that are ready now are read, so that their questions go together.
      if (waiting.length === 1) setImmediate(answerNext)
    })
}

/** For records under their identifiers: each is read once, however many ask for it; undefined where there is none. */
export function gatheredRecords<R>(
  readAll: (identifiers: readonly string[]) => Promise<readonly R[]>,
  identifierOf: (record: R) => string,
): (identifier: string) => Promise<R | undefined> {
  return gathered(
    async (asked: readonly string[]) => {
      const records = await readAll([...new Set(asked)])
      const known = new Map(records.map((record) => [identifierOf(record), record]))
      return asked.map((identifier) => known.get(identifier))
    },
    { batchMax: 50, atOnce: 3 },
  )
}
