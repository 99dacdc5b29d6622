/** Which records the audit log names for a response that shows some. */
import { expect, test } from 'vitest'
import { identifiersIn } from '../../../src/api/hooks/shown-identifiers.ts'
import { operations } from '../../../src/api/operations/index.ts'

/** These name the records themselves, or their example shows none that has an identifier. */
const others = [
  ...['listDeliveryAttempts', 'findDeliveryAttempts', 'openDeliverySandbox', 'listRejects', 'createLead'],
  ...['previewStandingOrder', 'previewStandingDraft', 'getOwnedContacts'],
  ...['previewIngestRun', 'listBlockedAddresses', 'listPaymentEvents', 'listStandingRuns'],
]

test('the example of every response that shows personal records names them, and none by its name', () => {
  const shown = operations.flatMap(({ id, audit, example }) =>
    typeof audit === 'object' && typeof example === 'object' && example !== null && !others.includes(id)
      ? [{ id, identifiers: identifiersIn(example), names: namesIn(example) }]
      : [],
  )
  expect(shown.length).toBeGreaterThan(20)
  // Its entries name others, and a look at them would be an entry of each.
  expect(shown.filter(({ identifiers }) => identifiers.length === 0).map(({ id }) => id)).toEqual(['listAuditLog'])
  const byName = shown.filter(({ identifiers, names }) => identifiers.some((each) => names.includes(each)))
  expect(byName.map(({ id }) => id)).toEqual(['listOperators'])
})

/** Every `name` in it. */
function namesIn(value: unknown): unknown[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, each]) => (key === 'name' ? [each] : namesIn(each)))
}

test.each([
  [{ data: [{ delivery_id: 'd', record: 'gst:30AAACR5055K1ZL', name: 'Mandovi Foods' }] }, ['30AAACR5055K1ZL']],
  [{ order_id: 'o', rows: [{ record: 'director:00012345', fields: {} }] }, ['00012345']],
  [{ order_id: 'o', data: [{ type: 'director', number: '00012345', name: 'Asha Naik' }] }, ['00012345']],
  [{ data: [{ person_id: 'p', email: 'asha@example.in', name: 'Asha Naik' }] }, ['p']],
  [{ data: [{ name: 'ravi', role: 'viewer' }] }, ['ravi']],
  [
    { run_id: 7, sample: { inserted: [{ identifier: '00012345' }], closed: [] }, scopes: [{ scope: 'GA' }] },
    ['00012345'],
  ],
])('%j', (payload, identifiers) => {
  expect(identifiersIn(payload)).toEqual(identifiers)
})
