/** Companies, as the headers of 2023 and of six columns have them. */
import { mcaCompanies } from '../../../../../config/sources/mca-companies.ts'
import { cinOf } from '../../../../support/company-snapshots.ts'
import type { Draw } from '../../../../support/draw.ts'
import type { RegisterKind } from './kind.ts'
import { drawRegistrar, lanesOfRegistrars } from './registrars.ts'
import { drawFile, someOf, type Table } from './table.ts'

/** Without the registrar a file tells of no part. */
const headers = {
  whole: ['CIN', 'CompanyName', 'CompanyROCcode', 'CompanyRegistrationdate_date'],
  bare: ['CIN', 'CompanyName', 'CompanyStatus', 'AuthorizedCapital', 'PaidupCapital', 'CompanyClass'],
} as const
const others = ['CompanyStatus', 'CompanyClass', 'AuthorizedCapital', 'PaidupCapital', 'EMAIL', 'PREVIOUS_CIN']
const ofPlace = ['Registered_Office_Address', 'CompanyStateCode']
const words: Readonly<Record<string, readonly string[]>> = {
  CompanyName: ['KONKAN CASHEW LIMITED', 'MANDOVI SPICES LIMITED', 'ZUARI TRADERS LIMITED'],
  CompanyRegistrationdate_date: ['2019-05-25'],
  CompanyStatus: ['Active', 'ACTV', 'Dormant under section 455', 'Strike Off', ''],
  CompanyClass: ['Private', 'Public'],
  AuthorizedCapital: ['100000.00', '9E+5', ''],
  PaidupCapital: ['100000.00', '250000', '0'],
  Registered_Office_Address: ['1 MG ROAD', '2 LINK ROAD', ''],
  CompanyStateCode: ['goa', 'Goa', 'maharashtra'],
  EMAIL: ['a@example.in', 'b@example.in', ''],
  PREVIOUS_CIN: ['U74999GA2018PTC000009', ''],
}

const table: Table = {
  lanes: lanesOfRegistrars,
  recordsOfLane: 6,
  nameColumns: ['CompanyName'],
  drawHeader(draw: Draw) {
    if (draw.oneIn(12)) return headers.bare
    return [...headers.whole, ...someOf(draw, others), ...(draw.oneIn(3) ? [] : someOf(draw, ofPlace))]
  },
  drawCell(draw, { lane, n, column }) {
    if (column === 'CIN') return draw.oneIn(60) ? 'U74999GA2019PTC00' : cinOf(n)
    if (column === 'CompanyROCcode') return drawRegistrar(draw, lane)
    if (column === 'CompanyName' && draw.oneIn(40)) return ''
    return draw.of(words[column] ?? ['']) ?? ''
  },
}

export const companies: RegisterKind = {
  ...table,
  name: 'companies',
  source: mcaCompanies,
  drawFile: (draw) => drawFile(table, draw),
  // The six columns of the bare header are all that it has.
  mayLack: (column, header) => header.includes('CompanyROCcode') && [...others, ...ofPlace].includes(column),
  fixed(column, cell, row) {
    if (column === 'CIN') return cell.length < 21 ? cinOf(900 + row) : cell
    return column === 'CompanyName' && cell === '' ? 'FIXED LIMITED' : cell
  },
}
