/** E-mail addresses and telephone numbers of records, as several collected them. */
import { contacts as source } from '../../../../../config/sources/contacts.ts'
import { cinOf } from '../../../../support/company-snapshots.ts'
import type { RegisterKind } from './kind.ts'
import { drawFile, someOf, type Table } from './table.ts'

const words: Readonly<Record<string, readonly string[]>> = {
  email: ['a@example.in', 'B@Example.in', 'a@example.in; c@example.in', 'nobody', ''],
  mobile: ['9812345678', '+91 98123 45678', '98123-45677', ''],
  phone: ['9812345679', '12345', ''],
  origin: ['web', 'fair 2025', ''],
}

const table: Table = {
  lanes: 1,
  recordsOfLane: 8,
  nameColumns: [],
  drawHeader: (draw) => ['entity', 'identifier', ...someOf(draw, ['email', 'mobile', 'phone', 'origin'])],
  drawCell(draw, { n, column }) {
    const isCompany = n % 3 !== 0
    if (column === 'entity') return isCompany ? (draw.of(['company', 'Company']) ?? '') : 'director'
    if (column === 'identifier' && draw.oneIn(40)) return 'nobody'
    if (column === 'identifier') return isCompany ? cinOf(n) : String(10_000 + n)
    return draw.of(words[column] ?? ['']) ?? ''
  },
}

export const contacts: RegisterKind = {
  ...table,
  name: 'contacts',
  source,
  drawFile: (draw) => drawFile(table, draw),
  mayLack: (column) => ['email', 'mobile', 'phone'].includes(column),
  fixed: (_column, cell, row) => (cell === 'nobody' ? cinOf(900 + row) : cell),
}
