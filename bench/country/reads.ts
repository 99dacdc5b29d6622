/** The same reads of the country and of a world of a million, each through its own server, alternating call by call. */
import type { Db } from '../../src/db/db.ts'
import { type HttpCaller, httpCaller } from '../http-caller.ts'
import { quantile, ratio, timed } from '../latency.ts'
import { startInThread } from '../server-thread.ts'
import { type ReadKind, readKinds } from './read-kinds.ts'

interface Served {
  readonly db: Db
  readonly databaseUrl: string
}

export interface ReadTimes {
  readonly p50Ms: number
  readonly p95Ms: number
  /** Calls not answered with 200, for example a query that timed out; their times count. */
  readonly refused: number
}

export interface ComparedRead {
  readonly read: string
  readonly country: ReadTimes
  readonly million: ReadTimes
  readonly ratioP50: number
  readonly ratioP95: number
}

export async function compareReads(country: Served, million: Served, calls: number): Promise<ComparedRead[]> {
  const [large, small] = [await open(country, calls), await open(million, calls)]
  const compared: ComparedRead[] = []
  for (const [read, kind] of Object.entries(large.kinds)) {
    const times = { large: timesOf(large.caller, kind), small: timesOf(small.caller, small.kinds[read] ?? kind) }
    // The first tenth fills caches and is not counted.
    for (let n = -Math.ceil(calls / 10); n < calls; n++) {
      await times.small.call(n)
      await times.large.call(n)
    }
    const [ofLarge, ofSmall] = [times.large.result(), times.small.result()]
    compared.push({
      ...{ read, country: ofLarge, million: ofSmall },
      ...{ ratioP50: ratio(ofLarge.p50Ms, ofSmall.p50Ms), ratioP95: ratio(ofLarge.p95Ms, ofSmall.p95Ms) },
    })
  }
  await Promise.all([large.close(), small.close()])
  return compared
}

async function open({ db, databaseUrl }: Served, calls: number) {
  const server = await startInThread(new URL('../targets/full.ts', import.meta.url), databaseUrl)
  const caller = httpCaller(server)
  const close = async () => {
    await caller.close()
    await server.stop()
  }
  return { caller, close, kinds: await readKinds(db, calls) }
}

function timesOf(caller: HttpCaller, kind: ReadKind) {
  const milliseconds: number[] = []
  let refused = 0
  return {
    async call(n: number) {
      let status = 0
      const took = await timed(async () => {
        ;({ status } = await caller.ask(kind(n + 1_000)))
      })
      if (n < 0) return
      milliseconds.push(took)
      if (status !== 200) refused++
    },
    result: (): ReadTimes => ({
      ...{ p50Ms: quantile(milliseconds, 0.5), p95Ms: quantile(milliseconds, 0.95), refused },
    }),
  }
}
