import { parse } from 'csv-parse/sync'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { leadColumns } from '../../../config/lead-columns.ts'
import { guarded } from '../../../src/domain/formula-guard.ts'
import { flatRow } from '../../../src/leads/flat-row.ts'
import { leadsCsv } from '../../../src/leads/leads-csv.ts'
import { anyLead } from './records.ts'

test('the CSV of any leads reads back as their guarded cells, under the columns of their types', () => {
  fc.assert(
    fc.property(fc.array(anyLead, { minLength: 1, maxLength: 6 }), (leads) => {
      const rows = leads.map((lead) => flatRow(lead, '=cmd'))
      const csv = leadsCsv(
        leads.map(({ type }) => type),
        rows,
      )
      const [header = [], ...cells] = parse(csv) as string[][]
      expect(new Set(header).size).toBe(header.length)
      const expected = new Set(leads.flatMap(({ type }) => leadColumns[type].map(({ name }) => name)))
      expect(new Set(header)).toEqual(expected)
      expect(cells).toEqual(rows.map((row) => header.map((name) => guarded(String(row[name] ?? '')))))
    }),
  )
})

test('every cell is quoted and every line ends with CRLF', () => {
  const csv = leadsCsv(['director'], [{ DIN: '00012345', CompanyCount: 0 }])
  const lines = csv.split('\r\n')
  expect(lines).toHaveLength(3)
  expect(lines[2]).toBe('')
  for (const line of lines.slice(0, 2)) expect(line).toMatch(/^("[^"]*",){22}"[^"]*"$/)
})

test('an order of one type has its columns in the designed order', () => {
  for (const type of ['gst', 'company', 'director'] as const) {
    expect(parse(leadsCsv([type], []))).toEqual([leadColumns[type].map(({ name }) => name)])
  }
})
