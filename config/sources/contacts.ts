/** E-mail, telephone and web addresses of companies, directors and GST registrations, as collected. */
import type { Source } from './source.ts'

export const contacts: Source = {
  name: 'contacts',
  entity: 'contact',
  table: 'registry.contact',
  key: 'id',
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
    id: { kind: 'joined', columns: ['entity', 'identifier'], separator: ':' },
    entity: {
      kind: 'text',
      from: 'entity',
      required: true,
      letterCase: 'lower',
      oneOf: ['company', 'director', 'gst'],
    },
    identifier: { kind: 'any-identifier', from: 'identifier', entityFrom: 'entity' },
    email: { kind: 'text', from: 'email', letterCase: 'lower' },
    mobile: { kind: 'mobile', from: 'mobile' },
    phone: { kind: 'text', from: 'phone' },
    website: { kind: 'text', from: 'website', letterCase: 'lower' },
    origin: { kind: 'text', from: 'origin' },
  },
  bounds: { rowsMin: 1, rowsMax: 60_000_000, closedShareMax: 0.05, rejectedShareMax: 0.5 },
}
