/**
 * Batches concurrent lookups of one kind into one statement: a round trip costs more than most lookups. The statement
 * always starts after the lookup was requested, so everything committed before is visible.
 */

interface Waiting<Q, A> {
  readonly question: Q
  readonly resolve: (answer: A) => void
  readonly reject: (error: unknown) => void
}

export interface GatheringBounds {
  /** Maximum lookups per statement. */
  readonly batchMax: number
  /** Maximum concurrent statements; further lookups wait for the first that ends. */
  readonly atOnce: number
}

/** @param answerAll returns a result for each lookup, in order; if it throws, all of them fail with its error. */
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
      // After the sockets that are ready now have been read, so that their lookups share a statement.
      if (waiting.length === 1) setImmediate(answerNext)
    })
}

/** For records by identifier: each is read once, however many callers request it; undefined if it does not exist. */
export function gatheredRecords<R>(
  readAll: (identifiers: readonly string[]) => Promise<readonly R[]>,
  identifierOf: (record: R) => string,
): (identifier: string) => Promise<R | undefined> {
  return gathered(
    async (identifiers: readonly string[]) => {
      const records = await readAll([...new Set(identifiers)])
      const known = new Map(records.map((record) => [identifierOf(record), record]))
      return identifiers.map((identifier) => known.get(identifier))
    },
    { batchMax: 50, atOnce: 3 },
  )
}
