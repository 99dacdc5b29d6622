/** Directors: one register in one part, with names whole or in their parts. */
import { mcaDirectors } from '../../../../../config/sources/mca-directors.ts'
import type { RegisterKind } from './kind.ts'
import { drawFile, someOf, type Table } from './table.ts'

const nameParts = ['FirstName', 'MiddleName', 'LastName']
const others = [
  ...['DINApprovalDate', 'DirectorDisqualified', 'Nationality', 'Gender', 'DateOfBirth', 'CitizenOfIndia'],
  ...['Address', 'District', 'State', 'Country', 'Pincode'],
]
const words: Readonly<Record<string, readonly string[]>> = {
  DINStatus: ['Approved', 'Deactivated due to non-filing of DIR-3 KYC', ''],
  FullName: ['ASHA NAIK', 'RAJESH KUMAR SHARMA', 'MADHURI', 'ASHA VENKATA RAMANA NAIK'],
  FirstName: ['ASHA', 'RAJESH', ''],
  MiddleName: ['KUMAR', '', ''],
  LastName: ['NAIK', 'SHARMA', ''],
  DINApprovalDate: ['2020-01-05', '25/05/2019', '05-Jan-2020', ''],
  DirectorDisqualified: ['Yes', 'N', ''],
  Nationality: ['India', ''],
  Gender: ['Male', 'Female', ''],
  DateOfBirth: ['14/02/1980', '1970-01-01', ''],
  CitizenOfIndia: ['Y', 'No', ''],
  Address: ['12 Fontainhas', '1 MG ROAD', ''],
  City: ['Panaji', 'Pune', ''],
  District: ['North Goa', 'Pune', ''],
  State: ['GOA', 'Maharashtra', ''],
  Country: ['India', ''],
  Pincode: ['403001', '403507.0', '000000', ''],
}
const dinOf = (n: number): string => String(10_000 + n)

const table: Table = {
  lanes: 1,
  recordsOfLane: 8,
  nameColumns: ['FullName', 'FirstName'],
  drawHeader(draw) {
    const names = draw.oneIn(8) ? [] : draw.oneIn(3) ? nameParts : ['FullName']
    return ['DIN', 'DINStatus', ...names, ...someOf(draw, others), ...(draw.oneIn(2) ? ['City'] : [])]
  },
  drawCell(draw, { n, column }) {
    if (column === 'DIN') return draw.oneIn(40) ? 'DIN1' : draw.oneIn(3) ? dinOf(n).padStart(8, '0') : dinOf(n)
    return draw.of(words[column] ?? ['']) ?? ''
  },
}

export const directors: RegisterKind = {
  ...table,
  name: 'directors',
  source: mcaDirectors,
  drawFile: (draw) => drawFile(table, draw),
  mayLack: (column) => [...others, 'City'].includes(column),
  fixed(column, cell, row) {
    if (column === 'DIN') return cell === 'DIN1' ? dinOf(900 + row) : cell
    return ['FullName', 'LastName'].includes(column) && cell === '' ? 'FIXED' : cell
  },
}
