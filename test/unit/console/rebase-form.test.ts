/** Two change one standing order at the same time: what becomes of the form of the second. */
import { expect, test } from 'vitest'
import { rebaseForm } from '../../../web/src/look/rebase-form.ts'

const fields = [
  { name: 'name', label: 'Name' },
  { name: 'day', label: 'Credits a day' },
  { name: 'active', label: 'Only active', kind: 'check' },
  { name: 'when', label: 'When', options: [{ value: 'import', label: 'After each import' }, 'daily'] },
  { name: 'time', label: 'Time', when: { name: 'when', is: ['daily'] } },
] as const
const from = { name: 'Goa', day: '20', active: 'on', when: 'import', time: '08:00' }
// What is not asked for is not typed.
const typed = { name: 'Goa of mine', day: '20', active: 'on', when: 'import' }

test('typed values stay, untouched ones are updated, and each change by the other person is reported', () => {
  const now = { name: 'Goa of theirs', day: '3', when: 'daily', time: '09:00' }
  expect(rebaseForm(fields, { typed, from, now })).toEqual({
    typed: { name: 'Goa of mine', day: '3', when: 'daily', time: '09:00' },
    changed: [
      { label: 'Name', was: 'Goa', is: 'Goa of theirs', here: 'Goa of mine' },
      { label: 'Credits a day', was: '20', is: '3' },
      { label: 'Only active', was: 'yes', is: 'no' },
      { label: 'When', was: 'After each import', is: 'daily' },
      { label: 'Time', was: '08:00', is: '09:00' },
    ],
  })
})

test('where both changed a thing alike, nothing is said to stand against it, and what only one typed is no change of the other', () => {
  expect(rebaseForm(fields, { typed, from, now: { ...from, name: 'Goa of mine' } })).toEqual({
    typed: { ...from, name: 'Goa of mine' },
    changed: [{ label: 'Name', was: 'Goa', is: 'Goa of mine' }],
  })
})
