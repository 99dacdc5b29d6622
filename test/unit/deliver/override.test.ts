/** What a form says of a field of the CRM, as the API takes it. */
import { expect, test } from 'vitest'

/** Pages have types of their own, so the file is loaded by its address. */
const page = new URL('../../../web/src/app/deliver/mapping/override.ts', import.meta.url).href
const { overrideOf } = (await import(page)) as {
  overrideOf(field: string, typed: Readonly<Record<string, string>>): unknown
}

test('a field that is set back to what the connector says is changed no more', () => {
  expect(overrideOf('City', { value: 'own', for: 'all', ownership: 'own' })).toBeUndefined()
  expect(overrideOf('City', { value: 'own', for: 'gst', ownership: 'own' })).toBeUndefined()
  expect(overrideOf('City', { value: 'own', for: 'all', ownership: 'if_empty' })).toEqual({
    field: 'City',
    ownership: 'if_empty',
  })
})
