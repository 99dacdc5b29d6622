/**
 * Ten times the rows: the first load and a refresh with 0.1 % changed at one size and at ten times that size, with the
 * memory of the worker's process.
 *
 *   npm run bench -- size [--rows 1000000] [--times 10]
 */
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { withEmptyDatabase } from './bench-database.ts'
import { writeCompanies } from './ingest/company-rows.ts'
import { emptyRegister } from './ingest/empty-register.ts'
import { copyRaw } from './ingest/expert.ts'
import { ingestCompanies, type Outcome, secondsOf } from './ingest/panji-run.ts'

const { values } = parseArgs({
  options: { rows: { type: 'string', default: '1000000' }, times: { type: 'string', default: '10' } },
})
const small = Number(values.rows)

await withEmptyDatabase(undefined, async ({ db, databaseUrl, folder }) => {
  await db.execute('CREATE SCHEMA bench')
  const path = join(folder, 'companies.csv')
  const sizes: { rows: number; r0: number; first: Outcome; refresh: Outcome }[] = []
  for (const rows of [small, small * Number(values.times)]) {
    await emptyRegister(db)
    await writeCompanies(path, { rows })
    const r0 = await secondsOf(() => copyRaw(db, path, 'bench.raw'))
    await db.execute('DROP TABLE bench.raw')
    const first = await ingestCompanies(databaseUrl, path, { folder })
    await writeCompanies(path, { rows, changeEvery: 1000 })
    const refresh = await ingestCompanies(databaseUrl, path, { folder })
    sizes.push({ rows, r0, first, refresh })
    console.error(JSON.stringify(sizes.at(-1)))
  }
  const [one, many] = sizes
  const ratio = (part: 'first' | 'refresh') =>
    Math.round(((many?.[part].seconds ?? Number.NaN) / (one?.[part].seconds ?? Number.NaN)) * 100) / 100
  console.log(
    JSON.stringify({ bench: 'size', ratios: { first: ratio('first'), refresh: ratio('refresh') }, sizes }, null, 2),
  )
})
