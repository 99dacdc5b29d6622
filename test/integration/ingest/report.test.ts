import { beforeEach, expect, test } from 'vitest'
import { runText } from '../../../src/cli/run-text.ts'
import { approveRun, discardRun } from '../../../src/ingest/conduct/approval.ts'
import { runSnapshot } from '../../../src/ingest/conduct/run-snapshot.ts'
import { getRun, type RunProgress } from '../../../src/ingest/run/runs.ts'
import { useTestDatabase } from '../../support/database.ts'
import { emptyRegisters } from '../../support/empty-tables.ts'
import { registryFixture, useIngest } from '../../support/ingest.ts'

const database = useTestDatabase()
const { ingest, file, queue, dependencies } = useIngest(database)

beforeEach(() => emptyRegisters(database.db))

test('the report of a run counts rejects, repaired and unknown words, and times every step', async () => {
  const run = await ingest('mca-companies', registryFixture('mca-companies-2023.csv'), { asOf: '2025-10-01' })
  expect(run.report).toEqual({
    rejects: {
      cin_malformed: 1,
      date_unreadable: 1,
      duplicate_in_file: 1,
      column_count: 1,
      amount_unreadable: 1,
      value_missing: 1,
    },
    rejects_kept: 6,
    repaired: { mojibake: 1, stray_quotes: 1, company_id_case: 1, cell_line_break: 1 },
    date_orders: {},
    unknown_words: { status: { 'Under hibernation': 1 } },
    header: { generation: '2023: data.gov.in API', missing: expect.arrayContaining(['email']), extra: [], unknown: 0 },
    header_drift: null,
    stale_scopes: [],
    checked: 15,
    empty_cells: expect.objectContaining({ district: 2, name: 0 }),
    usable: 10,
    matched: null,
    rejected_at_stage: 1,
    seconds: {
      fetch: expect.any(Number),
      stage: expect.any(Number),
      match: expect.any(Number),
      check: expect.any(Number),
      merge: expect.any(Number),
    },
    bytes_per_second: expect.any(Number),
  })
  const text = runText(run)
  expect(text).toContain('rows          16 read = 10 inserted + 0 updated + 0 unchanged + 6 rejected; 0 closed')
  expect(text).toContain('rejects       ')
  expect(text).toContain('repaired      mojibake 1')
  expect(text).toContain('unknown words status: Under hibernation 1')
  expect(text).toMatch(/steps +.*check [\d.]+ s/)
})

test('a column that was renamed, added or dropped since the run before is reported, and a mere change of case is not', async () => {
  const rows = 'U85100GA2022PTC015001,A LIMITED,Active,1,1,Private'
  const first = 'cin,company_name,status,authorized_capital,paidup_capital,class,old_remark'
  const second = 'CIN,CompanyName,Status,AuthorisedCapital,paidup_capital,new_remark,class'
  const before = await ingest('mca-companies', file('a.csv', `${first}\n${rows},x\n`), { mode: 'delta' })
  const again = await ingest('mca-companies', file('b.csv', `${first}\n${rows},y\n`), { mode: 'delta' })
  expect(again.report).toMatchObject({ header_drift: null })
  const cells = rows.replace(',Private', ',new,Private')
  const run = await ingest('mca-companies', file('c.csv', `${second}\n${cells}\n`), { mode: 'delta' })
  expect(before.run_id).toBeLessThan(run.run_id)
  expect(run.report).toMatchObject({
    header_drift: {
      since_run: again.run_id,
      renamed: [{ field: 'authorisedCapital', before: 'authorized_capital', after: 'AuthorisedCapital' }],
      added: [],
      removed: [],
      unknown_added: 1,
      unknown_removed: 1,
    },
  })
  expect(runText(run)).toContain(
    'renamed: authorized_capital is now AuthorisedCapital; added: none; removed: none; unknown columns: 1 added, 1 removed',
  )
  // The first line of a file may be a secret; what the source does not know stands nowhere in a run.
  for (const each of [before, run]) expect(JSON.stringify([each.report, runText(each)])).not.toMatch(/_remark/)
})

test('a column that was renamed to what the source does not know is not lost without an approval, and can be mapped', async () => {
  const of = (status: string) =>
    `cin,company_name,${status},authorized_capital,paidup_capital,class,registered_state,date_of_registration,registered_office_address\n`
  const row = (status: string) => `U85100GA2022PTC015002,B LIMITED,${status},1,1,Private,Goa,2022-01-01,NA\n`
  const named = (name: string, text: string) => ingest('mca-companies', file(name, text), { mode: 'delta' })
  const before = await named('as-ever.csv', of('status') + row('Active'))
  const renamed = of('present_standing') + row('Dormant')
  const waiting = await named('renamed.csv', renamed)
  expect(waiting).toMatchObject({
    status: 'needs_approval',
    error: {
      reasons: [
        expect.stringMatching(
          new RegExp(`has no "?status"? any more, which the file of import ${before.run_id} had, but 1 unknown column`),
        ),
      ],
    },
  })
  expect(JSON.stringify(waiting.error)).not.toContain('present_standing')
  await discardRun(database.db, waiting.run_id)
  const columns = { present_standing: 'status' }
  const mapped = await ingest('mca-companies', file('renamed.csv', renamed), { mode: 'delta', columns })
  expect(mapped).toMatchObject({ status: 'succeeded', updated: 1 })
})

test('publishers of one source who alternate between two headers need one approval, not one a file', async () => {
  const columns =
    'authorized_capital,paidup_capital,class,registered_state,date_of_registration,registered_office_address'
  const one = (day: number) =>
    `cin,company_name,status,email,${columns}\nU85100GA2022PTC015003,C ${day} LIMITED,Active,a@c.example.com,1,1,Private,Goa,2022-01-01,NA\n`
  const other = (day: number) =>
    `cin,company_name,status,remarks,${columns}\nU85100GA2022PTC015004,D ${day} LIMITED,Active,x,1,1,Private,Goa,2022-01-01,NA\n`
  const named = (name: string, text: string) => ingest('mca-companies', file(name, text), { mode: 'delta' })
  await named('one-1.csv', one(1))
  const asked = await named('other-1.csv', other(1))
  expect(asked.status).toBe('needs_approval')
  await approveRun(database.db, queue, asked.run_id)
  expect(await runSnapshot(dependencies(), asked.run_id)).toMatchObject({ status: 'succeeded' })
  expect(await named('one-2.csv', one(2))).toMatchObject({ status: 'succeeded' })
  expect(await named('other-2.csv', other(2))).toMatchObject({ status: 'succeeded' })
})

test('while a run checks and merges, its row says so to everybody, with the time that the run before took', async () => {
  const seen: Record<string, readonly [string, RunProgress]> = {}
  const text = (day: string) =>
    `cin,company_name,status,authorized_capital,paidup_capital,class\nU85100GA2022PTC015001,A ${day},Active,1,1,Private\n`
  await ingest('mca-companies', file('first.csv', text('FIRST')), { mode: 'delta' })
  const reached = async (point: string) => {
    const [open] = await database.db.query<{ run_id: number }>(
      `SELECT run_id FROM ingest.run ORDER BY run_id DESC LIMIT 1`,
    )
    const { status, progress } = await getRun(database.db, open?.run_id ?? 0)
    seen[point] = [status, progress]
  }
  const run = await ingest('mca-companies', file('second.csv', text('SECOND')), { mode: 'delta', deps: { reached } })
  const step = { rows: 1, since: expect.stringMatching(/Z$/), expected_seconds: expect.any(Number) }
  expect(seen['staged']).toEqual(['checking', { step: 'check', ...step }])
  expect(seen['checked']).toEqual(['merging', { step: 'merge', ...step }])
  // Inside the merge's transaction, seen from another connection.
  expect(seen['merge-written']).toEqual(['merging', { step: 'merge', ...step }])
  expect(run).toMatchObject({ status: 'succeeded', progress: {} })
})
