/**
 * Twelve awkward entities of each type, written by hand: snapshots in `test/fixtures/golden/` go in as a registry publishes
 * them, and `rows.json` beside them says what the buyer's rows hold.
 */
import { readFileSync } from 'node:fs'
import { beforeAll, expect, test } from 'vitest'
import type { LeadRow } from '../../../config/lead-columns.ts'
import { type EntityType, entityTypes } from '../../../src/domain/identity.ts'
import { buildLeads } from '../../../src/leads/build-leads.ts'
import { nestedLead } from '../../../src/leads/nested-lead.ts'
import { type OrderLead, readLeads } from '../../../src/leads/read-leads.ts'
import { refundItems } from '../../../src/orders/ledger.ts'
import { placeOrder } from '../../../src/orders/place-order.ts'
import { useTestDatabase } from '../../support/database.ts'
import { useIngest } from '../../support/ingest.ts'
import { createAccount, useTestQueue } from '../orders/world.ts'

const database = useTestDatabase()
const { ingest } = useIngest(database)
const jobs = useTestQueue(() => database.urlAs('panji_worker'))

const fixture = (name: string) => new URL(`../../fixtures/golden/${name}`, import.meta.url)
type Golden = Readonly<Record<EntityType, readonly { readonly identifier: string; readonly row: LeadRow }[]>>
const golden = JSON.parse(readFileSync(fixture('rows.json'), 'utf8')) as Golden
let leads: OrderLead[] = []

beforeAll(async () => {
  const snapshots = [
    ['hsn-sac', 'goods.csv'],
    ['mca-companies', 'companies.csv'],
    ['mca-directors', 'directors.csv'],
    ['mca-directorships', 'directorships.csv'],
    ['gst-taxpayers', 'gst.csv'],
    ['contacts', 'contacts.csv'],
  ] as const
  for (const [source, name] of snapshots) {
    expect([name, await ingest(source, fixture(name).pathname, { asOf: '2026-06-01' })]).toMatchObject([
      name,
      { status: 'succeeded', rejected: 0 },
    ])
  }
  const items = entityTypes.flatMap((type) =>
    golden[type].map(({ identifier }) => ({ type, name: 'X', number: identifier })),
  )
  const { orderId } = await placeOrder(
    database.as('panji_api'),
    jobs.queue,
    { onlineLabel: 'online' },
    { accountId: await createAccount(database.db, 100), orderName: 'Golden', paymentOption: 'credits', items },
  )
  await buildLeads(database.as('panji_worker'), { orderId, leadSource: 'Panji', refund: refundItems })
  leads = await readLeads(database.db, orderId)
})

test('there are twelve of each type', () => {
  for (const type of entityTypes) expect(golden[type]).toHaveLength(12)
})

test.each(entityTypes.flatMap((type) => golden[type].map(({ identifier, row }) => [type, identifier, row] as const)))(
  'the row of the %s %s holds what was written down by hand, and nothing that cannot be seen',
  (type, identifier, row) => {
    const lead = leads.find((each) => each.type === type && each.identifier === identifier)
    expect(lead?.row).toMatchObject(row)
    for (const cell of Object.values(lead?.row ?? {})) {
      if (typeof cell === 'string') expect(cell).not.toMatch(/[\p{Cc}\u200b\u200e\u200f\u202a-\u202e\u2066-\u2069]/u)
    }
  },
)

test('a nested lead carries what the flat one does', () => {
  expect(leads).toHaveLength(36)
  for (const lead of leads) {
    const nested = JSON.stringify(nestedLead(lead))
    for (const [column, cell] of Object.entries(lead.row)) {
      // Put together of what the nested form holds apart, or without what it has in other columns.
      if (cell === null || column === 'Street' || column === 'Country' || /[;|]/.test(String(cell))) continue
      if (['DirectorCount', 'CompanyCount'].includes(column)) continue
      expect([column, nested]).toEqual([column, expect.stringContaining(JSON.stringify(cell).replace(/^"|"$/g, ''))])
    }
  }
})
