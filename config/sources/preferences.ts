/**
 * What owners of addresses and numbers requested or consented to, as provided by an operator: a register of preferences
 * (DND), or a record of consents. Lists of different registers are kept separately; a list without a preference forbids
 * contact.
 */
import type { Source } from './source.ts'

export const preferences: Source = {
  name: 'preferences',
  entity: 'contact_preference',
  table: 'registry.contact_preference',
  key: 'id',
  defaultMode: 'delta',
  generations: [
    {
      name: 'preference list',
      columns: {
        value: ['contact', 'value', 'number', 'phone', 'mobile', 'msisdn', 'email'],
        preference: ['preference'],
        list: ['list', 'register'],
        statedOn: ['date', 'stated_on'],
        expiresOn: ['expires_on', 'valid_until'],
      },
      required: ['value'],
    },
  ],
  columns: {
    id: { kind: 'joined', columns: ['value'], separator: '|', named: ['value'], optional: ['list'] },
    value: { kind: 'contact-value', from: 'value' },
    preference: {
      kind: 'text',
      from: 'preference',
      letterCase: 'lower',
      fallback: 'do_not_contact',
      oneOf: ['do_not_contact', 'consent'],
    },
    list: { kind: 'text', from: 'list', fallback: 'DND' },
    stated_on: { kind: 'date', from: 'statedOn' },
    expires_on: { kind: 'date', from: 'expiresOn' },
  },
  bounds: { rowsMin: 1, rowsMax: 400_000_000, closedShareMax: 0.2, rejectedShareMax: 0.2 },
}
