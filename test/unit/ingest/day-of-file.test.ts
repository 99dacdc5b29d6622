import { expect, test } from 'vitest'
import { dayOfFile } from '../../../src/ingest/input/drop-folder/day-of-file.ts'

const written = new Date('2026-03-04T05:06:07Z')
const today = '2026-11-21'

test.each([
  ['mca_goa_2025-10-31.csv', '2025-10-31'],
  ['20251031.csv.gz', '2025-10-31'],
  ['mca_2025_10_31_part2.zip', '2025-10-31'],
  ['gst-31-10-2025.csv', '2025-10-31'],
  ['gst 31.10.2025.csv', '2025-10-31'],
  ['mca_goa_datagovin_2025-10.csv', '2025-10-01'],
  ['v3-2025-13-01-2025-02-28.csv', '2025-02-28'],
  ['GST_31102025.csv', '2025-10-31'],
  ['goa20102025.csv', '2025-10-20'],
  ['gst-5-Oct-2025.csv', '2025-10-05'],
  ['gst31october2025.csv', '2025-10-31'],
  ['Companies Sep 2025.xlsx', '2025-09-01'],
  ['LLP_SEPTEMBER-2025.xlsx', '2025-09-01'],
])('%s describes %s', (name, day) => expect(dayOfFile(name, written, today)).toEqual({ day }))

test.each([
  'companies.csv',
  'batch-20251340.csv',
  '1202510311.csv',
  'list-2025.csv',
  'x-30-02-2025.csv',
  'chandec2025.csv',
])('%s names no day that can be meant, so the day of its last change stands in', (name) =>
  expect(dayOfFile(name, written, today)).toEqual({ day: '2026-03-04' }),
)

test.each([
  ['goa-2062-01-01.csv', '2062-01-01'],
  ['ids-20991231.csv', '2099-12-31'],
  ['goa-2026-11-22.csv', '2026-11-22'],
])('%s shows a day after today, so it is refused', (name, day) =>
  expect(dayOfFile(name, written, today).refusal).toContain(day),
)

test('a file that was written in the future by its own clock describes today at the latest', () =>
  expect(dayOfFile('companies.csv', new Date('2062-01-01T00:00:00Z'), today)).toEqual({ day: today }))
