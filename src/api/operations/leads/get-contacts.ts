import { z } from 'zod'
import { entityTypes } from '../../../domain/identity.ts'
import { findOwnedItem, readOwnedLead } from '../../../leads/owned-contacts.ts'
import { settleReadItem } from '../../../orders/ledger.ts'
import { exampleIds, exampleRecords } from '../../example-records.ts'
import { timestamp, uuid } from '../../formats.ts'
import { addReadings } from '../../hooks/audit-log.ts'
import { operation } from '../../operation.ts'
import { calendarDay, wording } from '../../parameters.ts'
import { principalOf } from '../../route-context.ts'

const Way = z
  .object({
    kind: z.enum(['email', 'mobile', 'landline']),
    value: z.string().describe('An address, or a number in E.164'),
    source: z.string().nullable().describe('Who collected it'),
    day: calendarDay.nullable().describe('That the file describes which it came in'),
    do_not_contact: z.boolean().describe('Its owner asked not to be contacted'),
  })
  .meta({ id: 'OwnedContact' })

const OwnedContacts = z
  .object({
    owned: z
      .boolean()
      .describe('False where you bought no lead of the record; POST /api/orders/quote says what one brings'),
    order_id: uuid('Of the newest order that holds its lead').nullable(),
    bought_at: timestamp().nullable(),
    website: z.string().nullable(),
    contacts: z.array(Way).describe('As they were bought, without those that somebody objected to'),
  })
  .meta({ id: 'OwnedContacts' })

export default operation({
  id: 'getOwnedContacts',
  method: 'GET',
  path: '/api/crm/contacts',
  tag: 'CRM',
  summary: 'How a record is reached whose lead you own',
  description:
    'By its newest lead that you bought. Reading it spends the credit that was held for it, and that of no other.',
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
  handle:
    ({ db }) =>
    async (request) => {
      const { type, identifier: typed } = request.query
      const identifier = typed.toUpperCase()
      const { accountId, viewer } = principalOf(request)
      const itemId = await findOwnedItem(db, accountId, { type, identifier })
      // Spent before it is read. An operator who looks on spends nothing of the account's.
      if (itemId !== undefined && viewer === null) await settleReadItem(db, itemId)
      const lead = itemId === undefined ? undefined : await readOwnedLead(db, accountId, itemId)
      if (!lead) return { owned: false, order_id: null, bought_at: null, website: null, contacts: [] }
      addReadings(request, { identifiers: [identifier], reason: `order ${lead.orderId}` })
      return {
        ...{ owned: true, order_id: lead.orderId, bought_at: lead.boughtAt.toISOString() },
        ...{ website: lead.website, contacts: lead.ways.map((way) => ({ ...way })) },
      }
    },
})
