import { z } from 'zod'
import { registerSpelling } from '../../../domain/entity-identifier.ts'
import { entityTypes } from '../../../domain/identity.ts'
import { findOwnedItem, readOwnedLead } from '../../../leads/owned-contacts.ts'
import { settleReadItem } from '../../../orders/ledger.ts'
import { exampleIds, exampleRecords } from '../../example-records.ts'
import { timestamp, uuid } from '../../formats.ts'
import { addReadings } from '../../hooks/audit-log.ts'
import { operation } from '../../operation.ts'
import { calendarDay, wording } from '../../parameters.ts'

const Way = z
  .object({
    kind: z.enum(['email', 'mobile', 'landline']),
    value: z.string().describe('An e-mail address, or a number in E.164'),
    source: z.string().nullable().describe('Who collected it'),
    day: calendarDay.nullable().describe("Day that the contact's file describes"),
    do_not_contact: z.boolean().describe('Its owner asked not to be contacted'),
  })
  .meta({ id: 'OwnedContact' })

const OwnedContacts = z
  .object({
    owned: z
      .boolean()
      .describe(
        'false where you have not bought a lead of the record; POST /api/orders/quote says what one would bring',
      ),
    order_id: uuid('ID of the newest order with its lead').nullable(),
    bought_at: timestamp().nullable(),
    website: z.string().nullable(),
    contacts: z.array(Way).describe('As bought, without those that were objected to'),
  })
  .meta({ id: 'OwnedContacts' })

export default operation({
  id: 'getOwnedContacts',
  method: 'GET',
  path: '/api/crm/contacts',
  summary: 'Get the contacts of a record whose lead you own',
  description: 'From the newest lead of it that you bought. Reading spends only the credit held for that lead.',
  caller: { scopes: ['read'] },
  audit: { reads: 'leads' },
  query: z.object({
    type: z.enum(entityTypes).meta({ description: 'Of the record', examples: ['company'] }),
    identifier: wording(40).meta({ description: 'CIN, LLPIN, DIN or GSTIN', examples: [exampleRecords.cin] }),
  }),
  reply: { 200: OwnedContacts },
  example: {
    owned: true,
    order_id: exampleIds.order,
    bought_at: '2026-11-20T06:12:04.000Z',
    website: null,
    contacts: [{ kind: 'email', value: 'office@example.in', source: 'web', day: '2026-11-01', do_not_contact: false }],
  },
  handle: async ({ db }, request, { accountId, viewer }) => {
    const { type, identifier: typed } = request.query
    const identifier = registerSpelling(type, typed)
    const itemId = await findOwnedItem(db, accountId, { type, identifier })
    // Spent before it is read. An operator who views the account spends none of its credits.
    if (itemId !== undefined && viewer === null) await settleReadItem(db, itemId)
    const lead = itemId === undefined ? undefined : await readOwnedLead(db, accountId, itemId)
    if (!lead) return { owned: false, order_id: null, bought_at: null, website: null, contacts: [] }
    addReadings(request, { identifiers: [identifier], reason: `order ${lead.orderId}` })
    return {
      ...{ owned: true, order_id: lead.orderId, bought_at: lead.boughtAt.toISOString() },
      ...{ website: lead.website, contacts: lead.ways },
    }
  },
})
