/** What a run changed, and what stands in a record with where it came from, as operators look it up. */
import { expect, test } from 'vitest'
import { operatorToken, useApi } from '../../support/api.ts'
import { cinOf, companies, snapshotText } from '../../support/company-snapshots.ts'
import { useTestDatabase } from '../../support/database.ts'
import { useIngest } from '../../support/ingest.ts'
import { insertCompany, insertDirector, insertGst } from '../../support/registry-rows.ts'

const database = useTestDatabase()
const api = useApi(database)
const { ingest, file } = useIngest(database)
const read = async (path: string) => (await api.get(path, operatorToken)).json()

test('a run lists its changes page by page, by record and by kind, and each record shows its history', async () => {
  const rows = companies(1, 4, { registrar: 'Goa' })
  const taken = async (name: string, text: string, asOf: string) =>
    (await ingest('mca-companies', file(name, text), { asOf })).run_id
  const first = await taken('a.csv', snapshotText(rows), '2026-01-01')
  const second = await taken('b.csv', snapshotText(rows).replace('COMPANY 2 ', 'CORAL 2 '), '2026-02-01')
  const page = await read(`/admin/ingest/runs/${first}/changes?limit=3`)
  expect([page.data.length, page.more]).toEqual([3, true])
  const rest = await read(`/admin/ingest/runs/${first}/changes?limit=3&after=${page.data[2].change_id}`)
  expect([rest.data.length, rest.more]).toEqual([1, false])
  const changed = [{ entity: 'company', identifier: cinOf(2), kind: 'update', fields: ['name'] }]
  expect((await read(`/admin/ingest/runs/${second}/changes`)).data).toMatchObject(changed)
  expect((await read(`/admin/ingest/runs/${second}/changes?identifier=${cinOf(2).toLowerCase()}`)).data).toHaveLength(1)
  expect((await read(`/admin/ingest/runs/${second}/changes?identifier=${cinOf(1)}`)).data).toEqual([])
  expect((await read(`/admin/ingest/runs/${second}/changes?kind=insert`)).data).toEqual([])

  const taken2 = await api.get(`/admin/ingest/runs/${second}/changes/export`, operatorToken)
  const { change_id: changeId } = (await read(`/admin/ingest/runs/${second}/changes`)).data[0]
  const head = '"change_id","register","identifier","kind","fields"'
  expect(taken2.body.split('\r\n')).toEqual([head, `"${changeId}","company","${cinOf(2)}","update","name"`, ''])
  expect(taken2.headers['content-disposition']).toBe(`attachment; filename="changes-of-run-${second}.csv"`)
  const inserts = await api.get(`/admin/ingest/runs/${first}/changes/export?kind=insert`, operatorToken)
  expect(inserts.body.split('\r\n')).toHaveLength(6)
  const none = await api.get(`/admin/ingest/runs/${second}/changes/export?identifier=${cinOf(1)}`, operatorToken)
  expect(none.body).toBe(`${head}\r\n`)
  expect(await read('/admin/ingest/runs/987654/changes/export')).toMatchObject({ error_code: 'NOT_FOUND' })

  const record = await read(`/admin/records/company/${cinOf(2)}`)
  expect(await read(`/admin/records/company/%20${cinOf(2).slice(0, 6)}%20${cinOf(2).slice(6)}`)).toEqual(record)
  expect(record.data.fields).toContainEqual(
    expect.objectContaining({ field: 'companyName', origin: expect.objectContaining({ run_id: second }) }),
  )
  const history = await read(`/admin/records/company/${cinOf(2).toLowerCase()}/history?limit=1`)
  expect(history).toMatchObject({
    total: 2,
    data: [
      { kind: 'update', run_id: second, changes: [{ field: 'companyName', after: expect.stringContaining('CORAL') }] },
    ],
  })
  expect(await read('/admin/records/company/U74999GA2019PTC999999')).toMatchObject({ error_code: 'NOT_FOUND' })
})

test('a file of more changes than are read at a time has each of them once, in order', async () => {
  const rows = companies(1, 4_100, { registrar: 'Kerala' })
  const { run_id: run } = await ingest('mca-companies', file('many.csv', snapshotText(rows)), { asOf: '2026-01-01' })
  const { body } = await api.get(`/admin/ingest/runs/${run}/changes/export`, operatorToken)
  const ids = [...body.matchAll(/^"(\d+)"/gm)].map(([, id]) => Number(id))
  expect(ids).toEqual(ids.toSorted((a, b) => a - b))
  const { data } = await read(`/admin/ingest/runs/${run}/changes?limit=1000`)
  expect([new Set(ids).size, ids[0]]).toEqual([ids.length, data[0].change_id])
  const [told] = await database.db.query<{ changes: number }>(
    'SELECT count(*)::int AS changes FROM ingest.change WHERE run_id = $1',
    [run],
  )
  expect([ids.length, ids.length > 4_000]).toEqual([told?.changes, true])
})

test('records of each register are found by their name, the best first, and nobody who objected', async () => {
  await insertGst(database.db, {
    gstin: '27AAACR5055K1Z7',
    trade_name: 'KONKAN PETRO',
    state: 'Maharashtra',
    status: 'Active',
  })
  for (const [din, name] of [
    ['00000101', 'NAVEEN PATIL'],
    ['00000102', 'NAVEEN KAMAT'],
  ] as const)
    await insertDirector(database.db, { din, full_name: name, status: 'Approved', state: 'Goa' })
  const lagoons = ['U74999KL2019PTC500001', 'U74999KL2019PTC500002', 'U74999KL2019PTC500003'] as const
  const names = ['LAGOON TRADING LIMITED', 'LAGOON EXIM LIMITED', 'THE BLUE LAGOON LIMITED']
  for (const [index, cin] of lagoons.entries())
    await insertCompany(database.db, { cin, name: names[index] ?? '', status: 'Active' })
  const found = (register: string, query: Record<string, string>) =>
    read(`/admin/records?${new URLSearchParams({ register, ...query })}`)
  const named = async (register: string, name: string) =>
    (await found(register, { name })).data.map((record: { identifier: string }) => record.identifier)
  expect(await named('company', 'lagoon')).toEqual([lagoons[1], lagoons[0], lagoons[2]])
  expect(await named('company', lagoons[2].toLowerCase())).toEqual([lagoons[2]])
  const page = (number: string) => found('company', { name: 'lagoon', limit: '2', page: number })
  expect(await page('1')).toMatchObject({ data: [{ name: 'LAGOON EXIM LIMITED' }, {}], total: 3 })
  expect(await page('2')).toMatchObject({ data: [{ identifier: lagoons[2] }], total: 3 })
  expect((await found('gst', { name: 'konkan' })).data).toEqual([
    { identifier: '27AAACR5055K1Z7', name: 'KONKAN PETRO', state: 'Maharashtra', status: 'Active' },
  ])
  expect((await named('director', 'naveen')).toSorted()).toEqual(['00000101', '00000102'])
  await api.post('/admin/suppressions', operatorToken, { din: ['00000102'], reason: 'objected' })
  expect(await named('director', 'naveen')).toEqual(['00000101'])
  expect((await api.get('/admin/records?register=company&name=', operatorToken)).statusCode).toBe(400)
  expect((await api.get('/admin/records?register=company&name=lagoon', undefined)).statusCode).toBe(401)
})
