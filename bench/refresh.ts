/**
 * A refresh of a large register with 5 % of its rows changed and 0.5 % new, compared round by round with the same
 * refresh by hand: a MERGE that writes what IS DISTINCT FROM, and a plain ON CONFLICT DO UPDATE. All start from the
 * file and write to tables with the same indexes and the same fill factor.
 *
 * npm run bench -- refresh [--rows 2000000] [--rounds 2]
 */
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { withEmptyDatabase } from './bench-database.ts'
import { writeCompanies } from './ingest/company-rows.ts'
import { loadLikeRegister, mergeDistinct, upsert } from './ingest/expert.ts'
import { ingestCompanies, median, medianRatio, type Outcome, secondsOf } from './ingest/panji-run.ts'

const { values } = parseArgs({
  options: { rows: { type: 'string', default: '2000000' }, rounds: { type: 'string', default: '2' } },
})
const rows = Number(values.rows)
const rounds = Math.min(3, Number(values.rounds))

await withEmptyDatabase(undefined, async ({ db, databaseUrl, folder }) => {
  await db.execute('CREATE SCHEMA bench')
  const path = join(folder, 'companies.csv')
  await writeCompanies(path, { rows })
  const first = await ingestCompanies(databaseUrl, path, { folder })
  for (const table of ['bench.merged', 'bench.upserted']) await loadLikeRegister(db, path, table)
  await db.execute('VACUUM ANALYZE registry.company, bench.merged, bench.upserted')
  await db.execute('CHECKPOINT')
  const merged: number[] = []
  const upserted: number[] = []
  const refreshes: Outcome[] = []
  for (let round = 0; round < rounds; round++) {
    const grown = Math.round(rows * (1 + 0.005 * (round + 1)))
    await writeCompanies(path, { rows: grown, changeEvery: 20, turn: round })
    refreshes.push(await ingestCompanies(databaseUrl, path, { folder }))
    merged.push(await secondsOf(() => mergeDistinct(db, path, 'bench.merged')))
    upserted.push(await secondsOf(() => upsert(db, path, 'bench.upserted')))
    console.error(`round ${round + 1}: MERGE ${merged[round]} ON CONFLICT ${upserted[round]}`)
    console.error(JSON.stringify(refreshes[round]))
    await db.execute('VACUUM registry.company, bench.merged, bench.upserted')
    await db.execute('CHECKPOINT')
  }
  const panji = refreshes.map(({ seconds }) => seconds)
  const result = {
    bench: 'refresh',
    rows,
    medianSeconds: { panji: median(panji), merge: median(merged), onConflict: median(upserted) },
    ratios: { toMerge: medianRatio(panji, merged), onConflictToPanji: medianRatio(upserted, panji) },
    peakRssMiB: Math.max(...[first, ...refreshes].map(({ peakRssMiB }) => peakRssMiB)),
    first,
    refreshes,
  }
  console.log(JSON.stringify(result, null, 2))
})
