/** E-mail, telephone and web addresses of companies, directors and GST registrations, as collected. */
import type { Source } from './source.ts'

/** A number is classified as mobile by its digits, whichever column it is in. */
const phones = ['mobile', 'phone']

export const contacts: Source = {
  name: 'contacts',
  entity: 'contact',
  table: 'registry.contact',
  key: 'id',
  impliesInserts: true,
  defaultMode: 'delta',
  generations: [
    {
      name: 'contact list',
      columns: {
        entity: ['entity', 'entity_type', 'type'],
        identifier: ['identifier', 'id'],
        email: ['email'],
        mobile: ['mobile'],
        phone: ['phone'],
        website: ['website'],
        origin: ['origin', 'source'],
      },
      required: ['entity', 'identifier'],
    },
  ],
  columns: {
    // Contacts that several collectors have of one record are kept separately.
    id: {
      kind: 'joined',
      columns: ['entity', 'identifier'],
      separator: ':',
      named: ['identifier'],
      optional: ['origin'],
    },
    entity: {
      kind: 'text',
      from: 'entity',
      required: true,
      letterCase: 'lower',
      oneOf: ['company', 'director', 'gst'],
    },
    identifier: { kind: 'any-identifier', from: 'identifier', entityFrom: 'entity' },
    emails: { kind: 'contact', part: 'emails', from: ['email'] },
    email: { kind: 'contact', part: 'email', from: ['email'] },
    mobiles: { kind: 'contact', part: 'mobiles', from: phones },
    mobile: { kind: 'contact', part: 'mobile', from: phones },
    landlines: { kind: 'contact', part: 'landlines', from: phones },
    phone: { kind: 'contact', part: 'phone', from: phones },
    website: { kind: 'website', from: 'website' },
    origin: { kind: 'text', from: 'origin' },
  },
  bounds: { rowsMin: 1, rowsMax: 60_000_000, closedShareMax: 0.05, rejectedShareMax: 0.5 },
}
