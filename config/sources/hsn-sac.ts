/** Codes of goods (HSN) and services (SAC), as the GST portal publishes them: one workbook, a sheet for each. */
import type { Source } from './source.ts'

const columns = {
  hsnCode: ['HSN_CD', 'HSN_Code', 'HSN Code'],
  hsnDescription: ['HSN_Description', 'HSN Description'],
  sacCode: ['SAC_CD', 'SAC_Code', 'SAC Code'],
  sacDescription: ['SAC_Description', 'SAC Description'],
} as const
const codes = { hsn: 'hsnCode', sac: 'sacCode' } as const

export const hsnSac: Source = {
  name: 'hsn-sac',
  entity: 'tariff',
  table: 'reference.tariff',
  key: 'code',
  defaultMode: 'snapshot',
  sheets: ['HSN_MSTR', 'SAC_MSTR'],
  generations: [
    { name: 'both lists', columns, required: ['hsnCode', 'hsnDescription', 'sacCode', 'sacDescription'] },
    { name: 'list of goods', columns, required: ['hsnCode', 'hsnDescription'] },
    { name: 'list of services', columns, required: ['sacCode', 'sacDescription'] },
  ],
  columns: {
    kind: { kind: 'tariff', part: 'kind', ...codes },
    code: { kind: 'tariff', part: 'code', ...codes },
    description: { kind: 'tariff', part: 'description', hsn: 'hsnDescription', sac: 'sacDescription' },
    chapter: { kind: 'tariff', part: 'chapter', ...codes },
    section: { kind: 'tariff', part: 'section', ...codes },
  },
  scope: 'kind',
  bounds: { rowsMin: 1, rowsMax: 100_000, closedShareMax: 0.1, rejectedShareMax: 0.05 },
}
