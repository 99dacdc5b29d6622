/**
 * Searches by name through the whole server, compared with the staged query that an expert writes by hand, over one
 * connection each, alternating query by query. Prints one JSON document: p50, p95 and p99 of both, the ratio of the
 * p95, how far the p99 is above the p50, and the medians per kind of query.
 *
 * npm run bench -- name-search [--rounds 3] [--queries 400] [--companies 2000000] [--database FOLDER]
 */
import { parseArgs } from 'node:util'
import pg from 'pg'
import { type BenchDatabase, withBenchDatabase } from './bench-database.ts'
import { httpCaller } from './http-caller.ts'
import { latencyOf, median, ratio, timed } from './latency.ts'
import { findNameByHand } from './name-by-hand.ts'
import { type NameKind, nameKinds, nameQueries } from './name-queries.ts'
import { registerOptions, sizesOf } from './seed/register-sizes.ts'
import { startInThread } from './server-thread.ts'

const { values: options } = parseArgs({
  options: {
    rounds: { type: 'string', default: '3' },
    queries: { type: 'string', default: '400' },
    ...registerOptions({ companies: 2_000_000, gst: 0, directors: 0 }),
  },
})
const sizes = sizesOf(options)

interface Timed {
  readonly kind: NameKind
  readonly panjiMs: number
  readonly handMs: number
  readonly hits: number
}

async function measure({ databaseUrl, db }: BenchDatabase) {
  const queries = await nameQueries(db, Number(options.queries))
  const server = await startInThread(new URL('targets/full.ts', import.meta.url), databaseUrl)
  const caller = httpCaller(server)
  const hand = new pg.Client({ connectionString: databaseUrl })
  await hand.connect()
  try {
    const rounds: Timed[][] = []
    // The first round fills caches and is not counted.
    for (let round = 0; round <= Number(options.rounds); round++) {
      const times: Timed[] = []
      for (const { kind, text } of queries) {
        let hits = 0
        const path = `/api/company/company-filter?company=${encodeURIComponent(text)}&limit=10`
        const panjiMs = await timed(async () => {
          hits = (JSON.parse(await caller.call({ method: 'GET', path })) as unknown[]).length
        })
        times.push({ kind, hits, panjiMs, handMs: await timed(() => findNameByHand(hand, text)) })
      }
      if (round > 0) rounds.push(times)
    }
    return summary(rounds)
  } finally {
    await hand.end()
    await caller.close()
    await server.stop()
  }
}

function summary(rounds: readonly (readonly Timed[])[]) {
  const ofRounds = rounds.map((times) => {
    const panji = latencyOf(times.map(({ panjiMs }) => panjiMs))
    const byHand = latencyOf(times.map(({ handMs }) => handMs))
    return { p95: ratio(panji.p95Ms, byHand.p95Ms), p99ToP50: ratio(panji.p99Ms, panji.p50Ms) }
  })
  const all = rounds.flat()
  const kinds = nameKinds.map((kind) => {
    const times = all.filter((each) => each.kind === kind)
    return {
      kind,
      queries: times.length / rounds.length,
      found: ratio(times.filter(({ hits }) => hits > 0).length, times.length),
      panjiMs: median(times.map(({ panjiMs }) => panjiMs)),
      handMs: median(times.map(({ handMs }) => handMs)),
    }
  })
  return {
    bench: 'name-search',
    sizes,
    ratios: {
      p95: median(ofRounds.map(({ p95 }) => p95)),
      p99ToP50: median(ofRounds.map(({ p99ToP50 }) => p99ToP50)),
    },
    panji: latencyOf(all.map(({ panjiMs }) => panjiMs)),
    byHand: latencyOf(all.map(({ handMs }) => handMs)),
    kinds,
  }
}

console.log(JSON.stringify(await withBenchDatabase(sizes, options.database, measure), null, 2))
