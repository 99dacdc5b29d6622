/** The list of deliveries, read page by page while a worker settles what it lists. */
import { beforeAll, expect, test } from 'vitest'
import type { PushOutcome } from '../../../connectors/contract.ts'
import { releaseLease, takeLease } from '../../../src/deliver/lease/lease.ts'
import { claimLeads, recordOutcomes, takeOver } from '../../../src/deliver/record/ledger.ts'
import { type LoggedIn, newCustomer, operatorToken, useApi } from '../../support/api.ts'
import { useTestDatabase } from '../../support/database.ts'
import { owedOrder } from './owed-order.ts'

const database = useTestDatabase()
const api = useApi(database)
const db = () => database.db
const limit = 4
let customer: LoggedIn
let destinationId: string

beforeAll(async () => {
  customer = await newCustomer(api, database)
  ;({ destinationId } = await owedOrder(db(), 12, customer.accountId))
  // Other accounts' deliveries are in the way of none of them.
  await owedOrder(db(), 3)
})

interface Row {
  readonly delivery_id: string
  readonly outcome: string
  readonly created_at: string
}

const pageOf = async (path: string, token: string, query: string): Promise<Row[]> => {
  const reply = await api.get(`${path}?destination_id=${destinationId}&limit=${limit}&${query}`, token)
  expect(reply.statusCode, reply.body).toBe(200)
  return reply.json().data
}

/** As a worker does that comes to a batch of them. */
async function settle(many: number): Promise<void> {
  const lease = await takeLease(db(), destinationId)
  if (!lease) throw new Error('somebody else holds the destination')
  await takeOver(db(), lease)
  const leads = await claimLeads(db(), lease, many)
  expect(leads).toHaveLength(many)
  const created = (n: number): PushOutcome => ({ status: 'created', crmId: `crm-${n}`, values: {} })
  const refused: PushOutcome = { status: 'rejected', code: 'NO', field: null, message: 'no' }
  await recordOutcomes(
    db(),
    lease,
    leads,
    leads.map((_, n) => (n % 2 === 0 ? created(n) : refused)),
  )
  await releaseLease(db(), lease)
}

test.each([
  ['an account', '/api/crm/deliveries', () => customer.token],
  ['operators', '/admin/deliveries', () => operatorToken],
])('%s who pages through deliveries that change meanwhile sees each exactly once', async (_, path, token) => {
  const outcomes = (rows: readonly Row[]) => rows.map(({ outcome }) => outcome)
  const before = await api.get(`${path}?destination_id=${destinationId}&limit=100`, token())
  const all = before.json().data.map((row: Row) => row.delivery_id)
  const first = await pageOf(path, token(), 'page=1')
  await settle(3)
  const second = await pageOf(path, token(), 'page=2')
  await settle(3)
  const third = await pageOf(path, token(), 'page=3')
  const seen = [...first, ...second, ...third].map((row) => row.delivery_id)
  expect(seen).toHaveLength(12)
  expect(seen.toSorted()).toEqual(all.toSorted())
  const after = await api.get(`${path}?destination_id=${destinationId}&limit=100`, token())
  expect(outcomes(after.json().data)).not.toEqual(outcomes(before.json().data))
  expect(await pageOf(path, token(), 'page=4')).toEqual([])
})
