/** LLPs by the monthly list, by the list with their contribution, and among companies in the files of later years: of one register with these. */
import { mcaCompanies } from '../../../../../config/sources/mca-companies.ts'
import { cinOf } from '../../../../support/company-snapshots.ts'
import type { Draw } from '../../../../support/draw.ts'
import type { RegisterKind } from './kind.ts'
import { drawRegistrar, lanesOfRegistrars } from './registrars.ts'
import { drawFile, someOf, type Table } from './table.ts'

const monthly = ['LLPIN', 'LLP Name', 'Founded', 'ROC Location', 'Status', 'Address']
/** No districts: the oracle does not judge them, and what changes in them alone is a change. */
const ofMonthly = ['Industrial Activity', 'Activity Description', 'Obligation Of Contribution', 'State']
const contribution = ['LLPIN', 'LLP Name', 'Founded', 'TOTAL OBLIGATION OF CONTRIBUTION']
const ofContribution = ['ROC Location', 'LLP Status', 'State']
const together = ['CIN', 'CompanyName', 'CompanyROCcode', 'CompanyRegistrationdate_date']
const ofTogether = ['CompanyStatus', 'AuthorizedCapital', 'nic_code', 'CompanyStateCode', 'Registered_Office_Address']

const addresses = ['1 MG ROAD,PANAJI,Goa,403001-India', '5   Fort,Mumbai,Maharashtra,NA-India', '']
const statuses = ['Active', 'ACTIVE', 'Strike Off', 'Under process of striking off', '']
const words: Readonly<Record<string, readonly string[]>> = {
  'LLP Name': ['MANDOVI SPICES LLP', 'ZUARI TRADERS LLP', 'KONKAN CASHEW LLP'],
  CompanyName: ['MANDOVI SPICES LLP', 'ZUARI TRADERS LIMITED'],
  Founded: ['25/05/2019', '04/03/2020', '2019-05-25'],
  // A file of which half the days are empty waits.
  CompanyRegistrationdate_date: ['2019-05-25', '2023-11-12', '2019-05-25', '2023-11-12', ''],
  Status: statuses,
  'LLP Status': statuses,
  CompanyStatus: statuses,
  Address: addresses,
  Registered_Office_Address: addresses,
  'Industrial Activity': ['74999', '01110', ''],
  nic_code: ['74999', '62011', ''],
  'Activity Description': ['Software', ''],
  'Obligation Of Contribution': ['100000', '1,00,000.00', ''],
  'TOTAL OBLIGATION OF CONTRIBUTION': ['100000', ''],
  AuthorizedCapital: ['100000.00', ''],
  State: ['Goa', 'GOA', 'Maharashtra', ''],
  CompanyStateCode: ['goa', 'maharashtra', ''],
}

/** Every third record is a company: a list of LLPs does not have it. */
const isCompany = (n: number): boolean => n % 3 === 0
const llpinOf = (n: number): string => `AAC-${String(1000 + n)}`

function drawId(draw: Draw, n: number, header: readonly string[]): string {
  if (draw.oneIn(60)) return 'AAC-39'
  if (isCompany(n) && header.includes('CIN')) return cinOf(n)
  return draw.oneIn(4) ? llpinOf(n).replace('-', '') : llpinOf(n)
}

const table: Table = {
  lanes: lanesOfRegistrars,
  recordsOfLane: 6,
  nameColumns: ['LLP Name', 'CompanyName'],
  drawHeader(draw) {
    if (draw.oneIn(8)) return [...contribution, ...someOf(draw, ofContribution)]
    return draw.oneIn(2) ? [...monthly, ...someOf(draw, ofMonthly)] : [...together, ...someOf(draw, ofTogether)]
  },
  drawCell(draw, { lane, n, column }, header) {
    if (column === 'LLPIN' || column === 'CIN') return drawId(draw, n, header)
    if (column === 'ROC Location' || column === 'CompanyROCcode') return drawRegistrar(draw, lane)
    if (table.nameColumns.includes(column) && draw.oneIn(40)) return ''
    return draw.of(words[column] ?? ['']) ?? ''
  },
}

export const llps: RegisterKind = {
  ...table,
  name: 'LLPs',
  source: mcaCompanies,
  drawFile: (draw) => drawFile(table, draw),
  mayLack: (column) => [...ofMonthly, ...ofContribution, ...ofTogether].includes(column),
  fixed(column, cell, row) {
    if (column === 'LLPIN' || column === 'CIN') return cell === 'AAC-39' ? llpinOf(900 + row) : cell
    return table.nameColumns.includes(column) && cell === '' ? 'FIXED LLP' : cell
  },
}
