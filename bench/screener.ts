/**
 * Twenty typical screener queries through the whole server, compared with the same SQL by hand: its page and its exact
 * count, over one bare connection. Each query runs once with an uncached total (the registry version is raised before)
 * and then again with the cached one. Prints one JSON document: the p95 over the twenty, the ratios to the p95 by hand,
 * and a row per query with medians over the rounds.
 *
 * npm run bench -- screener [--rounds 5] [--companies 1000000] [--gst 1000000] [--database FOLDER]
 */
import { parseArgs } from 'node:util'
import pg from 'pg'
import type { Db } from '../src/db/db.ts'
import { hitColumns } from '../src/registry/hits.ts'
import { registerTables } from '../src/registry/register-table.ts'
import { type BenchDatabase, withBenchDatabase } from './bench-database.ts'
import { httpCaller } from './http-caller.ts'
import { median, quantile, ratio, timed } from './latency.ts'
import { type ScreenerCase, screenerCases } from './screener-queries.ts'
import { registerOptions, sizesOf } from './seed/register-sizes.ts'
import { companyIds } from './seed/registers.ts'
import { startInThread } from './server-thread.ts'

const { values: options } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    ...registerOptions({ companies: 1_000_000, gst: 1_000_000, directors: 200_000 }),
  },
})
const sizes = sizesOf(options)
const repeatsPerRound = 3

interface Times {
  readonly byHand: number[]
  readonly first: number[]
  readonly again: number[]
}

async function measure({ databaseUrl, db }: BenchDatabase) {
  const [cin = ''] = await companyIds(db, 1)
  const server = await startInThread(new URL('targets/full.ts', import.meta.url), databaseUrl)
  const caller = httpCaller(server)
  const hand = new pg.Client({ connectionString: databaseUrl })
  await hand.connect()
  const ask: Ask = ({ type, query }) =>
    caller.call({ method: 'POST', path: '/api/screener/search', body: { type, query } })

  try {
    return await runRounds(db, screenerCases(cin), hand, ask)
  } finally {
    await hand.end()
    await caller.close()
    await server.stop()
  }
}

type Ask = (each: ScreenerCase) => Promise<string>

async function runRounds(db: Db, cases: readonly ScreenerCase[], hand: pg.Client, ask: Ask) {
  const totals: number[] = []
  for (const each of cases) totals.push(await sameTotal(each, await ask(each), hand))
  const times = cases.map((): Times => ({ byHand: [], first: [], again: [] }))
  for (let round = 0; round < Number(options.rounds); round++) {
    for (const [index, each] of cases.entries()) {
      const { byHand, first, again } = times[index] ?? { byHand: [], first: [], again: [] }
      byHand.push(await timed(() => runByHand(hand, each)))
      await raiseVersion(db, each.type)
      first.push(await timed(() => ask(each)))
      for (let n = 0; n < repeatsPerRound; n++) again.push(await timed(() => ask(each)))
    }
  }
  return summary(cases, totals, times)
}

const pageOf = ({ type, byHand }: ScreenerCase) => {
  const { table, key } = registerTables[type]
  return `SELECT ${hitColumns[type]} FROM ${table} r WHERE r.closed_on IS NULL AND (${byHand}) ORDER BY ${key} LIMIT 10`
}
const countOf = ({ type, byHand }: ScreenerCase) =>
  `SELECT count(*) FROM ${registerTables[type].table} r WHERE r.closed_on IS NULL AND (${byHand})`

async function runByHand(hand: pg.Client, each: ScreenerCase): Promise<number> {
  await hand.query(pageOf(each))
  const { rows } = await hand.query<{ count: string }>(countOf(each))
  return Number(rows[0]?.count)
}

/** Two queries with different results are not compared. */
async function sameTotal(each: ScreenerCase, answer: string, hand: pg.Client): Promise<number> {
  const { total } = JSON.parse(answer) as { total: number }
  const counted = await runByHand(hand, each)
  if (total !== counted) throw new Error(`${each.query}: the API counts ${total}, by hand ${counted}`)
  return total
}

/** Invalidates the totals, as a merge does; the words of the names stay counted, as they are once their job has run. */
async function raiseVersion(db: Db, entity: string): Promise<void> {
  await db.execute(
    `WITH raised AS (UPDATE registry.version SET version = version + 1 WHERE entity = $1 RETURNING entity, version)
     UPDATE registry.name_word_state AS known SET version = raised.version FROM raised WHERE known.entity = raised.entity`,
    [entity],
  )
}

function summary(cases: readonly ScreenerCase[], totals: readonly number[], times: readonly Times[]) {
  const rows = cases.map((each, index) => {
    const { byHand, first, again } = times[index] ?? { byHand: [], first: [], again: [] }
    const handMs = median(byHand)
    return {
      query: `${each.type}: ${each.query}`,
      total: totals[index],
      handMs,
      firstMs: median(first),
      againMs: median(again),
      // From the same round, so that what disturbs a round disturbs both.
      ratioFirst: median(first.map((ms, round) => ratio(ms, byHand[round] ?? Number.NaN))),
    }
  })
  const p95 = (value: (row: (typeof rows)[number]) => number) => quantile(rows.map(value), 0.95)
  const p95HandMs = p95(({ handMs }) => handMs)
  const p95FirstMs = p95(({ firstMs }) => firstMs)
  const p95AgainMs = p95(({ againMs }) => againMs)
  return {
    bench: 'screener',
    sizes,
    ratios: { p95First: ratio(p95FirstMs, p95HandMs), p95Again: ratio(p95AgainMs, p95HandMs) },
    p95HandMs,
    p95FirstMs,
    p95AgainMs,
    slowestFirstMs: Math.max(...times.flatMap(({ first }) => first)),
    queries: rows,
  }
}

console.log(JSON.stringify(await withBenchDatabase(sizes, options.database, measure), null, 2))
