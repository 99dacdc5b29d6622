/**
 * Ingest against the expert's script, in one run on one server: `node bench/ingest.ts [rows]`.
 *
 * R0 is a raw COPY of the same bytes into an unlogged table without indexes. R1 is COPY into an unlogged table, then
 * INSERT … ON CONFLICT into a table with the same indexes, with plain casts and lower(name) as its search form: no
 * checks, no history, no feed. Panji's time is the whole run, from fetch to commit.
 */
import { spawnSync } from 'node:child_process'
import { chmodSync, createReadStream, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { fileURLToPath } from 'node:url'
import { from as copyFrom } from 'pg-copy-streams'
import { type Db, openDb } from '../src/db/db.ts'
import { startEmbeddedServer } from '../src/db/embedded/server.ts'
import { migrate } from '../src/db/migrate.ts'
import { writeCompanies } from './company-rows.ts'

/** The columns of the 2023+ file, as text. */
const staged = Array.from({ length: 16 }, (_, index) => `c${index + 1} text`).join(', ')
const rows = Number(process.argv[2] ?? 1_000_000)
const folder = mkdtempSync(join(tmpdir(), 'panji-bench-'))
// Under root a private folder would send the server elsewhere, see src/db/embedded/location.ts.
chmodSync(folder, 0o755)
const server = await startEmbeddedServer({ dataDir: folder })
const db = openDb({ connectionString: server.databaseUrl, applicationName: 'panji-bench' })

try {
  await migrate(db)
  const first = join(folder, 'first.csv')
  const refresh = join(folder, 'refresh.csv')
  console.log(
    `generating ${rows.toLocaleString('en')} companies: ${await seconds(() => writeCompanies(first, rows))} s`,
  )
  await writeCompanies(refresh, rows, 1000)
  await db.execute('CREATE SCHEMA bench')

  const r0 = await seconds(() => copyRaw(db, first, 'bench.raw'))
  const r1 = await seconds(() => expertsScript(db, first))
  await db.execute('DROP TABLE bench.raw, bench.expert_stage, bench.company')
  await db.execute('CHECKPOINT')
  const panji = ingest(first)
  const again = ingest(refresh)

  console.log(`R0 raw COPY                       ${r0} s`)
  console.log(`R1 expert's script                ${r1} s`)
  report('first load', panji, r1, 'R1')
  report('refresh, 0.1 % changed', again, r0, 'R0')
} finally {
  await db.close()
  await server.stop()
  rmSync(folder, { recursive: true, force: true })
}

interface Outcome {
  readonly seconds: number
  readonly inserted: number
  readonly updated: number
  readonly unchanged: number
  readonly rejected: number
  readonly peakRssKib: number
  readonly report: { readonly seconds: Readonly<Record<string, number>> }
}

function report(what: string, run: Outcome, reference: number, name: string): void {
  const { inserted, updated, unchanged, rejected } = run
  console.log(
    `Panji, ${what.padEnd(26)} ${run.seconds} s = ${(run.seconds / reference).toFixed(2)} x ${name}; ` +
      `peak RSS ${Math.round(run.peakRssKib / 1024)} MiB; ${JSON.stringify(run.report.seconds)}; ` +
      JSON.stringify({ inserted, updated, unchanged, rejected }),
  )
}

function ingest(path: string): Outcome {
  const worker = fileURLToPath(new URL('ingest-worker.ts', import.meta.url))
  const ended = spawnSync(process.execPath, [worker, server.databaseUrl, 'mca-companies', path, folder], {
    encoding: 'utf8',
  })
  if (ended.status !== 0) throw new Error(ended.stderr)
  return JSON.parse(ended.stdout) as Outcome
}

async function seconds(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now()
  await work()
  return Math.round(performance.now() - started) / 1000
}

async function copyRaw(target: Db, path: string, table: string): Promise<void> {
  await target.withConnection(async ({ client, execute }) => {
    await execute(`CREATE UNLOGGED TABLE ${table} (${staged})`)
    const copy = client.query(copyFrom(`COPY ${table} FROM STDIN WITH (FORMAT csv, HEADER)`))
    await pipeline(createReadStream(path, { highWaterMark: 1 << 18 }), copy)
  })
}

async function expertsScript(target: Db, path: string): Promise<void> {
  await copyRaw(target, path, 'bench.expert_stage')
  await target.execute('CREATE TABLE bench.company (LIKE registry.company INCLUDING ALL)')
  await target.execute(
    `INSERT INTO bench.company AS c (cin, company_type, name, name_key, roc_code, category, sub_category, class,
       authorised_capital, paid_up_capital, incorporated_on, registered_address, listed, status, status_source, state,
       origin, nic_code, main_division, main_division_description, city, district, pincode, first_run_id, last_run_id, as_of)
     SELECT c1, 'Company', c2, lower(c2), c3, c4, c5, c6, c7::numeric, c8::numeric, c9::date, c10, c11, c12, c12,
            initcap(c13), c14, c15::integer, left(c15, 2), c16, split_part(c10, ',', -4), split_part(c10, ',', -3),
            left(split_part(c10, ',', -1), 6), 1, 1, current_date
     FROM bench.expert_stage
     ON CONFLICT (cin) DO UPDATE SET name = excluded.name, status = excluded.status,
       authorised_capital = excluded.authorised_capital, paid_up_capital = excluded.paid_up_capital,
       last_run_id = excluded.last_run_id, as_of = excluded.as_of`,
  )
}
