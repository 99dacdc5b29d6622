/** The same load by pgloader, where it is installed: cells into the typed columns of a table with our indexes. */
import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Db } from '../../src/db/db.ts'
import { createLikeRegister } from './expert.ts'

const fields =
  'cin, name, roc_code, category, sub_category, class, authorised_capital, paid_up_capital, incorporated_on, registered_address, listed, status, state, origin, nic_code, main_division_description'

export const hasPgloader = (): boolean => spawnSync('pgloader', ['--version']).status === 0

/** What pgloader does not derive has a default, which costs it less than deriving would. */
export async function createPgloaderTable(db: Db, table: string): Promise<void> {
  await createLikeRegister(db, table, 'INCLUDING')
  await db.execute(
    `ALTER TABLE ${table} ALTER company_type SET DEFAULT 'Company', ALTER name_key SET DEFAULT '',
       ALTER first_run_id SET DEFAULT 1, ALTER last_run_id SET DEFAULT 1, ALTER as_of SET DEFAULT current_date`,
  )
}

/** @throws with pgloader's own message when it did not load all rows. */
export function runPgloader(databaseUrl: string, path: string, table: string, folder: string): void {
  const command = join(folder, 'load.pgloader')
  writeFileSync(
    command,
    `LOAD CSV FROM '${path}' (${fields}) INTO ${databaseUrl}
     TARGET TABLE ${table} (${fields})
     WITH skip header = 1, fields optionally enclosed by '"', fields terminated by ',', batch rows = 25000
     SET client_encoding TO 'utf8';\n`,
  )
  const ended = spawnSync('pgloader', ['--quiet', '--root-dir', folder, command], { encoding: 'utf8', cwd: folder })
  if (ended.status !== 0) throw new Error(`pgloader: ${ended.stdout}${ended.stderr}`)
}
