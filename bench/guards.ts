/**
 * The cost of the guards against wrong complete files: the share of a run spent counting what its file changes. A first
 * load, and refreshes with a twentieth, a tenth and a third of the rows changed.
 *
 * npm run bench -- guards [--rows 500000] [--rounds 3]
 */
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { withEmptyDatabase } from './bench-database.ts'
import { writeCompanies } from './ingest/company-rows.ts'
import { ingestCompanies, median, type Outcome } from './ingest/panji-run.ts'

const { values } = parseArgs({
  options: { rows: { type: 'string', default: '500000' }, rounds: { type: 'string', default: '3' } },
})
const rows = Number(values.rows)
const kinds = { 'first load': 0, 'a twentieth changed': 20, 'a tenth changed': 10, 'a third changed': 3 } as const
const shares = new Map<string, number[]>(Object.keys(kinds).map((kind) => [kind, []]))

for (let round = 0; round < Number(values.rounds); round++) {
  await withEmptyDatabase(undefined, async ({ db, databaseUrl, folder }) => {
    const path = join(folder, 'companies.csv')
    for (const [turn, [kind, changeEvery]] of Object.entries(kinds).entries()) {
      await writeCompanies(path, { rows, changeEvery, turn: turn % 3 })
      const { seconds, guardSeconds, inserted, updated }: Outcome = await ingestCompanies(databaseUrl, path, { folder })
      shares.get(kind)?.push(guardSeconds / seconds)
      console.error(JSON.stringify({ round, kind, seconds, guardSeconds, inserted, updated }))
      await db.execute('VACUUM registry.company')
      await db.execute('CHECKPOINT')
    }
  })
}

const percent = (share: number) => Math.round(share * 10_000) / 100
const medians = [...shares].map(([kind, each]) => [kind, percent(median(each))])
console.log(JSON.stringify({ bench: 'guards', rows, percentOfRun: Object.fromEntries(medians) }, null, 2))
