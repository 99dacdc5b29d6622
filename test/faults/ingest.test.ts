import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { beforeAll, expect, test } from 'vitest'
import { requestRun } from '../../src/ingest/request-run.ts'
import { runSnapshot } from '../../src/ingest/run-snapshot.ts'
import type { RunRecord } from '../../src/ingest/runs.ts'
import { useTestDatabase } from '../support/database.ts'
import { registerContents, stagingTables, useIngest } from '../support/ingest.ts'

const struck = useTestDatabase()
const spared = useTestDatabase()
const underFire = useIngest(struck)
const inPeace = useIngest(spared)
const child = fileURLToPath(new URL('ingest-child.ts', import.meta.url))

const header =
  'CIN,CompanyName,CompanyROCcode,CompanyCategory,CompanyClass,AuthorizedCapital,PaidupCapital,CompanyRegistrationdate_date,Registered_Office_Address,Listingstatus,CompanyStatus,CompanyStateCode,nic_code'
const line = (n: number, status: string) =>
  `U74999GA2019PTC${String(n).padStart(6, '0')},COMPANY ${n} PRIVATE LIMITED,ROC Goa,Company limited by shares,Private,100000,100000,2019-05-0${(n % 9) + 1},"X ROAD,PANAJI,North Goa,Goa,403001-India",Unlisted,${status},goa,74999`

/** Two snapshots of 4,000 companies; each inserts, changes, closes and reopens some of the other's, and has dirt. */
function snapshot(second: boolean): string {
  const lines = Array.from({ length: 4000 }, (_, n) => n)
    .filter((n) => (second ? n % 50 !== 7 : n % 50 !== 9))
    .map((n) => line(n, second && n % 10 === 0 ? 'Strike Off' : 'Active'))
  return [header, ...lines, 'U74999GA2019PTC999999,TOO SHORT', line(1, 'Dormant'), 'NO CIN,"', ''].join('\n')
}

let day = Date.UTC(2025, 0, 1)
let second = false
async function nextRun(): Promise<{ runId: number; expected: RunRecord }> {
  day += 86_400_000
  second = !second
  const request = { source: 'mca-companies', asOf: new Date(day).toISOString().slice(0, 10), force: true }
  const name = `${second ? 'second' : 'first'}.csv`
  const expected = await inPeace.ingest(request.source, inPeace.file(name, snapshot(second)), request)
  const input = underFire.file(name, snapshot(second))
  const { runId } = await struck.db.transaction((tx) => requestRun(tx, underFire.queue, { ...request, input }))
  return { runId, expected }
}

const start = (runId: number, killAt: string) =>
  spawn(process.execPath, [child, struck.url, String(runId), underFire.folder, killAt], {
    stdio: 'ignore',
  })

async function expectSameEnd(runId: number, expected: RunRecord): Promise<void> {
  const run = await runSnapshot(underFire.dependencies(), runId)
  const { status, rows_read, inserted, updated, unchanged, closed, rejected } = expected
  expect(run).toMatchObject({ status, rows_read, inserted, updated, unchanged, closed, rejected })
  expect(await registerContents(struck.db)).toEqual(await registerContents(spared.db))
  expect(await stagingTables(struck.db)).toEqual([])
}

beforeAll(async () => {
  const { runId, expected } = await nextRun()
  await expectSameEnd(runId, expected)
})

test.each([
  'claimed',
  'fetched',
  'staging',
  'staged',
  'checked',
  'merge-updated',
  'merge-inserted',
  'merged',
  'committed',
])('a worker killed at "%s" and run again leaves the tables of an uninterrupted run', async (point) => {
  const { runId, expected } = await nextRun()
  expect(expected).toMatchObject({ status: 'succeeded', rejected: 3 })
  expect(expected.updated + expected.inserted).toBeGreaterThan(100)
  const worker = start(runId, point)
  const [, signal] = await once(worker, 'exit')
  expect(signal).toBe('SIGKILL')
  await expectSameEnd(runId, expected)
})

test('a worker killed at random moments, again and again, leaves the tables of an uninterrupted run', async () => {
  for (let round = 0; round < 6; round++) {
    const { runId, expected } = await nextRun()
    for (const afterMs of [150 + 90 * round, 250 + 60 * round]) {
      const worker = start(runId, 'never')
      const ended = once(worker, 'exit')
      await Promise.race([ended, delay(afterMs)])
      worker.kill('SIGKILL')
      await ended
    }
    await expectSameEnd(runId, expected)
  }
})

test('a worker that is stopped, taken over and woken again writes nothing more', async () => {
  const { runId, expected } = await nextRun()
  const worker = start(runId, 'never')
  const ended = once(worker, 'exit')
  await untilClaimed(runId)
  worker.kill('SIGSTOP')
  await expectSameEnd(runId, expected)
  worker.kill('SIGCONT')
  await ended
  expect(await registerContents(struck.db)).toEqual(await registerContents(spared.db))
  expect(await stagingTables(struck.db)).toEqual([])
})

async function untilClaimed(runId: number): Promise<void> {
  for (;;) {
    const [run] = await struck.db.query<{ attempt: number }>('SELECT attempt FROM ingest.run WHERE run_id = $1', [
      runId,
    ])
    if ((run?.attempt ?? 0) > 0) return
    await delay(5)
  }
}
