/** What a run changed, and what stands in a record with where it came from, as operators look it up. */
import { expect, test } from 'vitest'
import { operatorToken, useApi } from '../../support/api.ts'
import { cinOf, companies, snapshotText } from '../../support/company-snapshots.ts'
import { useTestDatabase } from '../../support/database.ts'
import { useIngest } from '../../support/ingest.ts'

const database = useTestDatabase()
const api = useApi(database)
const { ingest, file } = useIngest(database)
const read = async (path: string) => (await api.get(path, operatorToken)).json()

test('a run lists what it changed, a page at a time, by record and by kind, and each record tells its history', async () => {
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

  const record = await read(`/admin/records/company/${cinOf(2)}`)
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
