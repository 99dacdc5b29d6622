/**
 * A company snapshot through all steps, compared with less careful ways to load the same bytes, round by round on one
 * server.
 *
 * npm run bench -- ingest [--rows 1000000] [--rounds 3]
 *
 * R0 is a raw COPY into an unlogged table without indexes; R1 the expert's script (COPY, INSERT … ON CONFLICT into a
 * table with our indexes); R2 pgloader into such a table, where it is installed. Panji's time is the whole run, every
 * row checked and historied: the first load of an empty register, then the same snapshot with 0.1 % of rows changed.
 */
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { withEmptyDatabase } from './bench-database.ts'
import { writeCompanies } from './ingest/company-rows.ts'
import { emptyRegister } from './ingest/empty-register.ts'
import { copyRaw, createLikeRegister, upsert } from './ingest/expert.ts'
import { ingestCompanies, median, medianRatio, type Outcome, secondsOf } from './ingest/panji-run.ts'
import { createPgloaderTable, hasPgloader, runPgloader } from './ingest/pgloader.ts'

const { values } = parseArgs({
  options: { rows: { type: 'string', default: '1000000' }, rounds: { type: 'string', default: '3' } },
})
const rows = Number(values.rows)

await withEmptyDatabase(undefined, async ({ db, databaseUrl, folder }) => {
  await db.execute('CREATE SCHEMA bench')
  const first = join(folder, 'first.csv')
  const changed = join(folder, 'changed.csv')
  await writeCompanies(first, { rows })
  await writeCompanies(changed, { rows, changeEvery: 1000 })
  const r0: number[] = []
  const r1: number[] = []
  const r2: number[] = []
  const loads: Outcome[] = []
  const refreshes: Outcome[] = []
  for (let round = 0; round < Number(values.rounds); round++) {
    r0.push(await secondsOf(() => copyRaw(db, first, 'bench.raw')))
    await createLikeRegister(db, 'bench.company', 'INCLUDING')
    r1.push(await secondsOf(() => upsert(db, first, 'bench.company')))
    await db.execute('DROP TABLE bench.raw, bench.company')
    // Only once: it takes several times as long as all the others together.
    if (round === 0 && hasPgloader()) {
      await createPgloaderTable(db, 'bench.loaded')
      r2.push(await secondsOf(async () => runPgloader(databaseUrl, first, 'bench.loaded', folder)))
      const [loaded] = await db.query<{ rows: number }>('SELECT count(*) AS rows FROM bench.loaded')
      if (loaded?.rows !== rows) throw new Error(`pgloader loaded ${loaded?.rows} of ${rows} rows`)
      await db.execute('DROP TABLE bench.loaded')
    }
    await emptyRegister(db)
    loads.push(await ingestCompanies(databaseUrl, first, { folder }))
    refreshes.push(await ingestCompanies(databaseUrl, changed, { folder }))
    console.error(`round ${round + 1}: R0 ${r0[round]} R1 ${r1[round]} R2 ${r2[round] ?? '-'}`)
    console.error(JSON.stringify([loads[round], refreshes[round]]))
  }
  const secondsOfAll = (runs: readonly Outcome[]) => runs.map(({ seconds }) => seconds)
  const stageRate = r0.map((seconds, round) => seconds / (loads[round]?.steps['stage'] ?? Number.NaN))
  const result = {
    bench: 'ingest',
    rows,
    medianSeconds: {
      r0: median(r0),
      r1: median(r1),
      r2: median(r2),
      firstLoad: median(secondsOfAll(loads)),
      refresh: median(secondsOfAll(refreshes)),
    },
    ratios: {
      firstLoadToR1: medianRatio(secondsOfAll(loads), r1),
      firstLoadToR2: medianRatio(secondsOfAll(loads).slice(0, r2.length), r2),
      refreshToR0: medianRatio(secondsOfAll(refreshes), r0),
      stageRateToR0: Math.round(median(stageRate) * 100) / 100,
    },
    peakRssMiB: Math.max(...[...loads, ...refreshes].map(({ peakRssMiB }) => peakRssMiB)),
    loads,
    refreshes,
  }
  console.log(JSON.stringify(result, null, 2))
})
