/** Who directs which company: one register in one part, of which each record is what its key says, and when it ended. */
import { mcaDirectorships } from '../../../../../config/sources/mca-directorships.ts'
import { cinOf } from '../../../../support/company-snapshots.ts'
import type { RegisterKind } from './kind.ts'
import { drawFile, someOf, type Table } from './table.ts'

const words: Readonly<Record<string, readonly string[]>> = {
  Designation: ['Director', 'Director', 'Managing Director', ''],
  DateOfAppointment: ['2019-05-25', '25/05/2019', ''],
  DateOfCessation: ['', '', '2024-03-31'],
}

const table: Table = {
  lanes: 1,
  recordsOfLane: 8,
  nameColumns: [],
  drawHeader: (draw) => ['CIN', 'DIN', 'Designation', ...someOf(draw, ['DateOfAppointment', 'DateOfCessation'])],
  drawCell(draw, { n, column }) {
    if (column === 'CIN') return draw.oneIn(40) ? 'ALLA' : cinOf(n)
    if (column === 'DIN') return draw.oneIn(40) ? 'DIN1' : String(10_000 + (n % 5))
    return draw.of(words[column] ?? ['']) ?? ''
  },
}

export const directorships: RegisterKind = {
  ...table,
  name: 'directorships',
  source: mcaDirectorships,
  drawFile: (draw) => drawFile(table, draw),
  mayLack: (column) => column === 'DateOfCessation',
  fixed(column, cell, row) {
    if (column === 'CIN') return cell === 'ALLA' ? cinOf(900 + row) : cell
    return cell === 'DIN1' ? String(20_000 + row) : cell
  },
}
