/** A PIN directory that is taken back: what it alone gave to records goes with it, and nothing else does. */
import { beforeEach, expect, test } from 'vitest'
import { sources } from '../../../config/sources/index.ts'
import { approveRun } from '../../../src/ingest/conduct/approval.ts'
import { readPreview } from '../../../src/ingest/conduct/read-preview.ts'
import { requestUndo } from '../../../src/ingest/conduct/request-undo.ts'
import { runSnapshot } from '../../../src/ingest/conduct/run-snapshot.ts'
import { getRun } from '../../../src/ingest/run/runs.ts'
import { useTestDatabase } from '../../support/database.ts'
import { emptyRegisters } from '../../support/empty-tables.ts'
import { useIngest } from '../../support/ingest.ts'
import { recordsAsOf, registerState } from '../../support/register-state.ts'

const database = useTestDatabase()
const { ingest, file, queue, dependencies } = useIngest(database)
beforeEach(async () => {
  await emptyRegisters(database.db)
  await database.db.execute('TRUNCATE reference.pincode')
})

const csv = (...lines: string[]) => `${lines.join('\n')}\n`
const companyHeader =
  'cin,company_name,status,authorized_capital,paidup_capital,class,registered_state,registered_office_address'
const company = (n: number, address: string) =>
  `U85100GA2022PTC01600${n},NUMBER ${n} LIMITED,Active,1,1,Private,Goa,"${address}"`
const colva = '1 BEACH ROAD,COLVA,403708-India'
const companies = [
  // Its text names the district itself.
  company(1, '12 MG ROAD,PANAJI,North Goa,Goa,403001-India'),
  // Of its text something else is guessed.
  company(2, colva),
  // No directory knows its PIN.
  company(3, '4 HILL,NOWHERE,403999-India'),
  // Nothing is read from its text but the PIN, which two directories know, and one of them is left.
  company(4, '5 MARKET,MAPUSA,403507'),
  company(5, '7 HARBOUR,VASCO,403802'),
]
const directors = [
  'DIN,FirstName,LastName,Status,City,District,State,PIN',
  '00016001,Asha,Naik,Approved,,,Goa,403708',
  '00016002,Ravi,Kamat,Approved,Margao,South Goa,Goa,403708',
]
const taxpayers = [
  'GSTIN,Legal Name,Status,Registration Date,State,Pincode,District',
  '30AAACR5001K1ZY,MANDOVI TRADERS,Active,01/07/2017,Goa,403708,',
]
const directory = (...rows: string[]) => csv('pincode,state,district,offices', ...rows)

const delta = (source: string, name: string, lines: readonly string[], asOf: string, force = false) =>
  ingest(source, file(name, csv(...lines)), { mode: 'delta', asOf, force })
const everything = async (asOf: string, force = false, more: readonly string[] = []) => {
  for (const [source, lines] of [
    ['mca-companies', [companyHeader, ...companies, ...more]],
    ['mca-directors', directors],
    ['gst-taxpayers', taxpayers],
  ] as const) {
    const run = await delta(source, `${source}.csv`, lines, asOf, force)
    expect([source, run.status, run.rejected]).toEqual([source, 'succeeded', 0])
  }
}
const registers = sources.filter(({ name }) =>
  ['mca-companies', 'mca-directors', 'gst-taxpayers', 'pincodes'].includes(name),
)
/** All records with their values, of now and of a day before, and what is counted of them. */
const state = async () => {
  const { db } = database
  const records: Record<string, unknown> = {}
  for (const source of registers) {
    const columns = Object.keys(source.columns)
    const now = (await registerState(db, source, columns)).records as { id: string; cells: unknown }[]
    records[source.name] = now.map(({ id, cells }) => ({ id, cells }))
    records[`${source.name} before`] = await recordsAsOf(db, source, columns, '2026-01-01')
  }
  const counts = await db.query(
    'SELECT to_jsonb(c) AS cell FROM feed.record_count c WHERE records <> 0 ORDER BY to_jsonb(c)::text',
  )
  return { records, counts }
}
const undo = async (runId: number) => {
  const asked = { runId, through: false, reason: 'the wrong file', requestedBy: 'operator' } as const
  return runSnapshot(dependencies(), (await requestUndo(database.db, queue, asked)).run_id)
}
const placeOf = async (cin: string) => {
  const [row] = await database.db.query('SELECT city, district, state FROM registry.company WHERE cin = $1', [cin])
  return row
}
const versionsOf = () =>
  database.db.query<{ entity: string; version: number }>(`SELECT entity, version FROM registry.version ORDER BY entity`)

test('an undone directory takes the districts along that it alone gave, and leaves every other value as it was before it', async () => {
  await ingest('pincodes', file('left.csv', directory('403507,Goa,North Goa,2', '403001,Goa,North Goa,5')), {
    asOf: '2025-12-01',
  })
  await everything('2026-01-01')
  const before = await state()
  const wrong = await ingest(
    'pincodes',
    file(
      'wrong.csv',
      directory('403507,Goa,North Goa,2', '403001,Goa,North Goa,5', '403708,Goa,Nowhere,3', '403802,Goa,Nowhere,1'),
    ),
    { asOf: '2026-01-02' },
  )
  await everything('2026-01-03', true)
  expect(await placeOf('U85100GA2022PTC016002')).toMatchObject({ district: 'Nowhere' })
  expect(await placeOf('U85100GA2022PTC016005')).toEqual({ city: 'Nowhere', district: 'Nowhere', state: 'Goa' })
  const versions = await versionsOf()
  const undone = await undo(wrong.run_id)
  expect(undone).toMatchObject({ status: 'succeeded', report: { withdrawn: 2 } })
  expect(await state()).toEqual(before)
  const raised = (await versionsOf()).filter(
    ({ entity, version }) => version > (versions.find((each) => each.entity === entity)?.version ?? 0),
  )
  expect(raised.map(({ entity }) => entity)).toEqual(expect.arrayContaining(['company', 'pincode']))
  // The next import says the same, forced or not.
  await everything('2026-01-04', true)
  const later = await state()
  expect(later.records).toEqual(before.records)
})

test('what depends on the records that an undone directory changed is evaluated again', async () => {
  await everything('2026-01-01')
  const wrong = await ingest('pincodes', file('w0.csv', directory('403708,Goa,Nowhere,3')), { asOf: '2026-01-02' })
  await everything('2026-01-03', true)
  queue.sent.length = 0
  const { run_id: runId, report } = await undo(wrong.run_id)
  expect(report).toMatchObject({ elsewhere: expect.any(Number) })
  expect(queue.sent.slice(1)).toEqual([
    { queue: 'collect-words', payload: {} },
    { queue: 'evaluate-import', payload: { runId } },
  ])
})

test('a record that came after the directory has no district of it any more, and gets that of its own text with the next import', async () => {
  await everything('2026-01-01')
  const wrong = await ingest('pincodes', file('w2.csv', directory('403708,Goa,Nowhere,3', '403001,Goa,North Goa,5')), {
    asOf: '2026-01-02',
  })
  const late = [company(6, '9 SHORE,COLVA,403708-India'), company(7, '3 MG ROAD,PANAJI,North Goa,Goa,403001-India')]
  await everything('2026-01-03', true, late)
  expect(await placeOf('U85100GA2022PTC016006')).toEqual({ city: 'Nowhere', district: 'Nowhere', state: 'Goa' })
  await undo(wrong.run_id)
  expect(await placeOf('U85100GA2022PTC016006')).toEqual({ city: null, district: null, state: 'Goa' })
  // What its own address names stays.
  const named = { city: 'Panaji', district: 'North Goa', state: 'Goa' }
  expect(await placeOf('U85100GA2022PTC016007')).toEqual(named)
  await everything('2026-01-04', true, late)
  expect(await placeOf('U85100GA2022PTC016006')).toEqual({ city: '9 Shore', district: '9 Shore', state: 'Goa' })
  expect(await placeOf('U85100GA2022PTC016007')).toEqual(named)
})

test('a record that moved with the import that brought the district keeps nothing of where it was before', async () => {
  await everything('2026-01-01')
  const wrong = await ingest('pincodes', file('w3.csv', directory('403802,Goa,Nowhere,3')), { asOf: '2026-01-02' })
  await delta('mca-companies', 'moved.csv', [companyHeader, company(2, '2 HARBOUR,VASCO,403802')], '2026-01-03')
  expect(await placeOf('U85100GA2022PTC016002')).toMatchObject({ district: 'Nowhere' })
  await undo(wrong.run_id)
  expect(await placeOf('U85100GA2022PTC016002')).toMatchObject({ district: null })
})

test('an undo waits for an import that has read the directory, and then takes the districts from its records, too', async () => {
  await everything('2026-01-01')
  const wrong = await ingest('pincodes', file('w4.csv', directory('403708,Goa,Nowhere,3')), { asOf: '2026-01-02' })
  const asked = { runId: wrong.run_id, through: false, reason: 'the wrong file', requestedBy: 'operator' } as const
  const { run_id: undoing } = await requestUndo(database.db, queue, asked)
  const tooEarly: unknown[] = []
  const reached = async (point: string) => {
    if (point === 'checked') await runSnapshot(dependencies(), undoing).catch((error: unknown) => tooEarly.push(error))
  }
  await ingest('mca-companies', file('late.csv', csv(companyHeader, company(6, '9 SHORE,COLVA,403708-India'))), {
    ...{ mode: 'delta', asOf: '2026-01-03', deps: { reached } },
  })
  expect(await runSnapshot(dependencies(), undoing)).toMatchObject({ status: 'succeeded' })
  expect(await placeOf('U85100GA2022PTC016006')).toEqual({ city: null, district: null, state: 'Goa' })
  expect(tooEarly).toMatchObject([{ code: 'RUN_IN_PROGRESS', message: expect.stringContaining('mca-companies') }])
})

test('an import that waited while the directory was undone needs approval with its new figures, and is applied without its districts', async () => {
  const wrong = await ingest('pincodes', file('w5.csv', directory('403708,Goa,Nowhere,3')), { asOf: '2026-01-02' })
  // The first load of the register, half of it without an address, which is suspicious.
  const emptied = Array.from(
    { length: 40 },
    (_, n) => `U85100GA2022PTC0170${n + 10},NUMBER ${n} LIMITED,,1,1,Private,Goa,""`,
  )
  const waiting = await ingest('mca-companies', file('waits.csv', csv(companyHeader, ...companies, ...emptied)), {
    asOf: '2026-01-03',
  })
  expect(waiting.status).toBe('needs_approval')
  const shown = async () => {
    const { reasons, sample } = await readPreview(database.db, waiting.run_id)
    const first = sample.inserted.find(({ identifier }) => identifier === 'U85100GA2022PTC016002')
    return { reasons, district: first?.fields['district'] }
  }
  const before = await shown()
  expect(before.district).toBe('Nowhere')
  const { run_id: undoing } = await undo(wrong.run_id)
  const outdated = [expect.stringContaining(`import ${undoing} undid an import of pincodes`), ...before.reasons]
  expect((await shown()).reasons).toEqual(outdated)
  expect(await getRun(database.db, waiting.run_id)).toMatchObject({ error: { reasons: outdated } })
  await approveRun(database.db, queue, waiting.run_id)
  const again = await runSnapshot(dependencies(), waiting.run_id)
  expect(again).toMatchObject({ status: 'needs_approval', approved_at: null, decision: null })
  expect(await shown()).toEqual({ reasons: before.reasons, district: '1 Beach Road' })
  await approveRun(database.db, queue, waiting.run_id)
  expect(await runSnapshot(dependencies(), waiting.run_id)).toMatchObject({ status: 'succeeded' })
  expect(await placeOf('U85100GA2022PTC016002')).toEqual({
    city: '1 Beach Road',
    district: '1 Beach Road',
    state: 'Goa',
  })
})

test('a record that came after the directory has the district that the directories left give to its PIN', async () => {
  const left = ['403507,Goa,North Goa,2', '403507,Goa,South Goa,1', '403507,Maharashtra,Sindhudurg,9']
  await ingest('pincodes', file('left-2.csv', directory(...left)), { asOf: '2025-12-01' })
  await everything('2026-01-01')
  const wrong = await ingest('pincodes', file('w3.csv', directory(...left, '403507,Goa,Nowhere,3')), {
    asOf: '2026-01-02',
  })
  await everything('2026-01-03', true, [company(6, '9 MARKET,MAPUSA,403507')])
  const nowhere = { city: 'Nowhere', district: 'Nowhere', state: 'Goa' }
  expect(await placeOf('U85100GA2022PTC016004')).toEqual(nowhere)
  expect(await placeOf('U85100GA2022PTC016006')).toEqual(nowhere)
  await undo(wrong.run_id)
  const northGoa = { city: 'North Goa', district: 'North Goa', state: 'Goa' }
  expect(await placeOf('U85100GA2022PTC016004')).toEqual(northGoa)
  expect(await placeOf('U85100GA2022PTC016006')).toEqual(northGoa)
  await everything('2026-01-04', true, [company(6, '9 MARKET,MAPUSA,403507')])
  expect(await placeOf('U85100GA2022PTC016006')).toEqual(northGoa)
})
