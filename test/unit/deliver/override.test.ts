/** What a form says of a field of the CRM, as the API takes it. */
import { expect, test } from 'vitest'

/** Pages have types of their own, so the file is loaded by its address. */
const page = new URL('../../../web/src/app/deliver/mapping/override.ts', import.meta.url).href
const { overrideFields, overrideOf, overrideInWords } = (await import(page)) as {
  overrideFields(present: object, columns: readonly string[]): readonly { name: string; initial?: string }[]
  overrideOf(field: string, typed: Readonly<Record<string, string>>): unknown
  overrideInWords(override: object): string
}

test.each([
  ['“Spring fair”', { value: { constant: 'Spring fair' } }],
  ['in turn: asha@example.com, ravi@example.com', { value: { round_robin: ['asha@example.com', 'ravi@example.com'] } }],
  ['column City; upper', { value: { column: 'City' }, transform: ['upper'] }],
  ['“{LegalName} ({GSTIN})”; for GST registrations', { value: { template: '{LegalName} ({GSTIN})' }, for: ['gst'] }],
  ['never written; for companies', { value: { omit: true }, for: ['company'] }],
  ['belongs to whichever fills it first', { ownership: 'if_empty' }],
])('what a field is changed to is told in the words of its form: %s', (words, override) => {
  expect(overrideInWords({ field: 'City', ...override })).toBe(words)
})

test('a field that is set back to what the connector says is changed no more', () => {
  expect(overrideOf('City', { value: 'own', for: 'all', ownership: 'own' })).toBeUndefined()
  expect(overrideOf('City', { value: 'own', for: 'gst', ownership: 'own' })).toBeUndefined()
  expect(overrideOf('City', { value: 'own', for: 'all', ownership: 'if_empty' })).toEqual({
    field: 'City',
    ownership: 'if_empty',
  })
})

test.each([
  { value: { constant: 'Spring fair' }, for: ['company', 'gst'] },
  { value: { round_robin: ['Rao, Ravi', 'asha@example.com'] }, transform: ['trim', 'upper'] },
  { value: { conditions: [{ column: 'State', is: ['Goa'], value: { omit: true } }] }, ownership: 'always' },
])('a form that is saved as it was opened changes nothing: %j', (said) => {
  const override = { field: 'City', ...said }
  const asked = overrideFields(override, ['City'])
  const typed = Object.fromEntries(asked.flatMap(({ name, initial = '' }) => (initial ? [[name, initial]] : [])))
  expect(overrideOf('City', typed)).toEqual(override)
})
