import { expect, test } from 'vitest'
import { dayOfFile } from '../../../src/ingest/input/drop-folder/day-of-file.ts'

const written = new Date('2026-03-04T05:06:07Z')
const now = new Date('2026-11-21T12:00:00Z')

test.each([
  ['mca_goa_2025-10-31.csv', '2025-10-31'],
  ['20251031.csv.gz', '2025-10-31'],
  ['mca_2025_10_31_part2.zip', '2025-10-31'],
  ['gst-31-10-2025.csv', '2025-10-31'],
  ['gst 31.10.2025.csv', '2025-10-31'],
  ['mca_goa_datagovin_2025-10.csv', '2025-10-01'],
  ['v3-2025-13-01-2025-02-28.csv', '2025-02-28'],
])('%s describes %s', (name, day) => expect(dayOfFile(name, written, now)).toBe(day))

test.each([
  'companies.csv',
  'batch-20251340.csv',
  '1202510311.csv',
  'list-2025.csv',
  'ids-20991231.csv',
  'x-30-02-2025.csv',
])('%s names no day that can be meant, so the day of its last change stands in', (name) =>
  expect(dayOfFile(name, written, now)).toBe('2026-03-04'),
)
