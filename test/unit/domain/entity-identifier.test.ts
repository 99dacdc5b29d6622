import { expect, test } from 'vitest'
import { externalIdsNamed, registerSpellings } from '../../../src/domain/entity-identifier.ts'

test.each([
  ['gst:27AAACR5055K1Z7', ['gst:27AAACR5055K1Z7']],
  ['GST: 27aaacr5055k1z7', ['gst:27AAACR5055K1Z7']],
  ['director:12345', ['director:00012345']],
  ['company:aac3965', ['company:AAC-3965']],
  ['gst:nobody', ['gst:nobody']],
  ['order:27AAACR5055K1Z7', []],
])('%s names the records %s', (text, records) => {
  expect(externalIdsNamed(text)).toEqual(records)
})

test('an identifier alone names the record that the registers spell so, whatever its type', () => {
  expect(externalIdsNamed('27aaacr5055k1z7')).toContain('gst:27AAACR5055K1Z7')
  expect(externalIdsNamed(' 12345 ')).toContain('director:00012345')
  expect(externalIdsNamed('aac3965')).toContain('company:AAC-3965')
  expect(registerSpellings('12345')).toContain('00012345')
})
