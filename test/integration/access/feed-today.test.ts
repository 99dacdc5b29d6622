/** A feed of recent registrations ends with today: what is registered as of a later day waits for it, and is found elsewhere meanwhile. */
import { expect, test } from 'vitest'
import { grantEntitlement } from '../../../src/access/grants.ts'
import { readToday } from '../../../src/db/read-today.ts'
import { entityTypes } from '../../../src/domain/identity.ts'
import { daysAfter } from '../../../src/domain/iso-date.ts'
import { readFeed } from '../../../src/registry/feed/read-feed.ts'
import { newCustomer, useApi } from '../../support/api.ts'
import { useTestDatabase } from '../../support/database.ts'
import { addRegistrations } from '../../support/registrations.ts'
import { feeds, useFeedReader } from './feed-reader.ts'

const database = useTestDatabase()
const api = useApi(database)
const readAll = useFeedReader(api)
const offsets = [-400, -31, -1, 0, 1, 2, 40, 400]

test.each(entityTypes)('the %s feed, its total and its summary end with today in India', async (dataset) => {
  const { db } = database
  const today = await readToday(db)
  const rows = await addRegistrations(
    db,
    dataset,
    offsets.map((days) => ({
      ...{ state: days % 2 === 0 ? 'Goa' : 'Kerala', district: 'North Goa', pincode: '403001' },
      registeredOn: daysAfter(today, days),
    })),
  )
  const idsOf = (isMeant: (day: string) => boolean) =>
    rows
      .filter(({ registeredOn }) => isMeant(registeredOn))
      .sort((a, b) => b.registeredOn.localeCompare(a.registeredOn))
      .map(({ identifier }) => identifier)
  const customer = await newCustomer(api, database, { isEnterprise: true })
  const read = async (body: object) => {
    const { ids, total } = await readAll(customer, dataset, body)
    expect(total).toBe(ids.length)
    return ids
  }
  const come = idsOf((day) => day <= today)
  expect(come).toHaveLength(4)
  const status = dataset === 'director' ? 'Approved' : 'Active'
  for (const body of [
    {},
    { to_date: daysAfter(today, 30) },
    { status },
    { district: 'North Goa' },
    { pincode: '403001' },
  ]) {
    expect(await read(body)).toEqual(come)
  }
  expect(await read({ to_date: daysAfter(today, -1) })).toEqual(idsOf((day) => day < today))
  expect(await read({ from_date: daysAfter(today, 1) })).toEqual([])
  expect(await read({ state: 'Kerala', status })).toEqual(
    come.filter((id) => rows.some((row) => row.identifier === id && row.state === 'Kerala')),
  )

  const days = { from_date: daysAfter(today, -35), to_date: daysAfter(today, 20) }
  const summary = await api.get(`${feeds[dataset].path}/summary?${new URLSearchParams(days)}`, customer.token)
  expect([summary.statusCode, summary.json().total]).toEqual([200, 3])
  expect(summary.json().by_day.map(({ day }: { day: string }) => day)).toEqual(
    [0, -1, -31].map((offset) => daysAfter(today, offset)),
  )

  // A grant whose window ends later opens no more, and the next day shows what it brings.
  const granted = await newCustomer(api, database)
  const { accountId } = granted
  const window = { from: daysAfter(today, -40), to: daysAfter(today, 90) }
  await grantEntitlement(db, { accountId, dataset, grantedBy: 'subscription', ...window })
  expect((await readAll(granted, dataset, { status })).ids).toEqual(
    idsOf((day) => day <= today && day >= daysAfter(today, -40)),
  )
  const everything = { states: null, districts: null, pincodes: null, from: null, to: null }
  const next = { scopes: [everything], today: daysAfter(today, 1), page: 1, limit: 10 }
  const { data, total } = await readFeed<Record<string, string>>(db, dataset, next)
  expect(total).toBe(5)
  expect(data.map((record) => record[feeds[dataset].id])).toEqual(idsOf((day) => day <= daysAfter(today, 1)))
})
