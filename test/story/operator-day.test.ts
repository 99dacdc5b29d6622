/**
 * An operator's bad day, by the commands that the documents give: a wrong file, a truncated one, its approval after a corrected one
 * came, the undoing of a wrong month, a lost key, and a data directory that is gone. Each leaves the register as it should be.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { companies, snapshotText } from '../support/company-snapshots.ts'
import { panjiProgram } from '../support/panji-program.ts'

const folder = mkdtempSync(join(tmpdir(), 'panji-day-'))
const dataDir = join(folder, 'data')
mkdirSync(dataDir, { mode: 0o755 })
const panji = panjiProgram({ PANJI_DATA_DIR: dataDir })
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function file(name: string, content: string): string {
  const path = join(folder, name)
  writeFileSync(path, content)
  return path
}

interface Run {
  readonly run_id: number
  readonly status: string
  readonly inserted: number
  readonly updated: number
  readonly closed: number
  readonly error: { readonly code: string } | null
}

const ingest = async (path: string, day: string): Promise<Run> =>
  (await panji.json('ingest', 'mca-companies', path, '--as-of', day)).answer as Run

test('an operator cannot wreck the register in a day, and gets back what was lost', { timeout: 300_000 }, async () => {
  await panji.json('migrate')
  const whole = file('goa.csv', snapshotText(companies(1, 2_000)))
  expect(await ingest(whole, '2025-10-01')).toMatchObject({ status: 'succeeded', inserted: 2_000 })

  // A wrong file: another register's, and no register's at all.
  const wrong = await ingest(file('wrong.csv', 'name,telephone\nAsha,98\n'), '2025-10-02')
  expect(wrong).toMatchObject({ status: 'failed', error: { code: 'HEADER_MISMATCH' } })

  // A truncated file waits; a corrected one comes by hand; the late approval is refused and names it.
  const truncated = await ingest(file('cut.csv', snapshotText(companies(1, 100))), '2025-11-01')
  expect(truncated).toMatchObject({ status: 'needs_approval' })
  const corrected = await ingest(file('corrected.csv', snapshotText(companies(1, 2_010))), '2025-11-01')
  expect(corrected).toMatchObject({ status: 'succeeded', inserted: 10, closed: 0 })
  expect(await panji.json('approve', `${truncated.run_id}`)).toMatchObject({
    code: 1,
    answer: { error: { code: 'RUN_OVERTAKEN', message: expect.stringContaining(`${corrected.run_id}`) } },
  })
  expect(await panji.json('discard', `${truncated.run_id}`, '--reason', 'cut off', '--yes')).toMatchObject({
    code: 0,
    answer: { decision: { outcome: 'discarded', by: 'operator', reason: 'cut off', supersede: false } },
  })

  // The file of another month goes in, and is taken back.
  const strange = await ingest(
    file('other.csv', snapshotText(companies(1, 2_010, { status: 'Strike Off' }))),
    '2025-12-01',
  )
  // Every status changed: it waits, and somebody lets it through all the same.
  expect(strange).toMatchObject({ status: 'needs_approval' })
  expect(await panji.json('approve', `${strange.run_id}`)).toMatchObject({ code: 0 })
  const undone = await panji.json('undo', `${strange.run_id}`, '--reason', 'the file of another month', '--yes')
  expect(undone).toMatchObject({ code: 0, answer: { status: 'succeeded', undoes: [strange.run_id] } })

  // A backup; then the key is lost, and nothing that needs it works on as if nothing were.
  const backup = join(folder, 'panji.tar.gz')
  expect(await panji.json('account', 'create', '--email', 'a@example.com')).toMatchObject({ code: 0 })
  expect(await panji.json('backup', backup)).toMatchObject({ code: 0, answer: { verified: true } })
  const lost = await panjiProgram({ PANJI_DATA_DIR: dataDir, PANJI_SECRET_KEY: 'another-key-of-the-operator' }).json(
    'doctor',
  )
  expect(lost.code).toBe(1)
  expect(JSON.stringify(lost.answer)).toMatch(/secret key|SECRET_KEY/)

  // The data directory is gone. The backup brings all of it back, the key too.
  rmSync(dataDir, { recursive: true })
  mkdirSync(dataDir, { mode: 0o755 })
  expect(await panji.json('runs')).toMatchObject({ code: 1, answer: { error: { code: 'NO_INSTANCE' } } })
  expect(await panji.json('restore', backup)).toMatchObject({ code: 0 })
  expect(await panji.json('doctor')).toMatchObject({ code: 0, answer: { ok: true } })
  expect(await panji.json('account', 'find', 'a@example.com')).toMatchObject({ code: 0, answer: [{}] })

  // The corrected file says nothing new.
  expect(await ingest(join(folder, 'corrected.csv'), '2025-11-01')).toMatchObject({
    inserted: 0,
    updated: 0,
    closed: 0,
    error: null,
  })
  expect(await panji.json('status')).toMatchObject({ code: 0, answer: { runs_that_wait: [], dead_letters: 0 } })
})
