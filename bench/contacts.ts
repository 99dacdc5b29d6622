/**
 * A contact list through all steps, once with cells of the common shapes, which SQL parses, and once with the same
 * numbers and addresses written so that the libraries must parse them; compared with a raw COPY of the same bytes.
 *
 * npm run bench -- contacts [--rows 300000]
 */
import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { type BenchDatabase, withEmptyDatabase } from './bench-database.ts'
import { copyRaw } from './ingest/expert.ts'
import { ingestSource, secondsOf } from './ingest/panji-run.ts'
import { ratio } from './latency.ts'

const { values } = parseArgs({ options: { rows: { type: 'string', default: '300000' } } })
const rows = Number(values.rows)

type Shape = 'common' | 'odd'

/** Each row has an e-mail address and a mobile, every third a landline; `odd` writes them in unusual forms. */
function lineOf(n: number, shape: Shape): string {
  const cin = `U85100GA2022PTC${String(n % 1_000_000).padStart(6, '0')}`
  const mobile = String(9_000_000_000 + ((n * 7919) % 800_000_000))
  const landline = `832${String(2_000_000 + ((n * 31) % 3_000_000))}`
  const mobiles = [mobile, `0${mobile}`, `+91${mobile}`, `${mobile.slice(0, 5)} ${mobile.slice(5)}`]
  const landlines = [`0${landline}`, `0832-${landline.slice(3)}`, `+91 ${landline}`]
  const email = `office${n}@company${n % 977}.example.in`
  const plain = [email, mobiles[n % mobiles.length] ?? '', n % 3 === 0 ? (landlines[n % landlines.length] ?? '') : '']
  const cells = shape === 'common' ? plain : plain.map((cell) => (cell === '' ? '' : `(${cell})`))
  return `company,${cin},${cells.join(',')},,vendor ${Math.floor(n / 1_000_000)}\n`
}

async function write(path: string, shape: Shape): Promise<void> {
  const file = createWriteStream(path)
  file.write('entity,identifier,email,mobile,phone,website,origin\n')
  for (let n = 0; n < rows; n++) if (!file.write(lineOf(n, shape))) await once(file, 'drain')
  file.end()
  await once(file, 'close')
}

const measure =
  (shape: Shape) =>
  async ({ db, databaseUrl, folder }: BenchDatabase) => {
    const path = join(folder, `${shape}.csv`)
    await write(path, shape)
    await db.execute('CREATE SCHEMA bench')
    const raw = await secondsOf(() => copyRaw(db, path, 'bench.raw', 7))
    const run = await ingestSource(databaseUrl, 'contacts', path, { folder, mode: 'delta' })
    const [counted] = await db.query<{ mobiles: number; landlines: number; emails: number }>(
      `SELECT sum(cardinality(mobiles)) AS mobiles, sum(cardinality(landlines)) AS landlines, sum(cardinality(emails)) AS emails
       FROM registry.contact`,
    )
    return {
      seconds: run.seconds,
      check: run.steps['check'],
      raw,
      toRaw: ratio(run.seconds, raw),
      peakRssMiB: run.peakRssMiB,
      counted,
    }
  }

const common = await withEmptyDatabase(undefined, measure('common'))
const odd = await withEmptyDatabase(undefined, measure('odd'))
const ratios = { commonToOdd: ratio(common.seconds, odd.seconds), commonToRaw: common.toRaw, oddToRaw: odd.toRaw }
console.log(JSON.stringify({ bench: 'contacts', rows, common, odd, ratios }, null, 2))
