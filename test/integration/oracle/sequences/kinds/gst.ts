/** GST registrations under the portal's keys and in words: two states to a lane, the address whole, in parts, or in some of them. */
import { gstTaxpayers } from '../../../../../config/sources/gst-taxpayers.ts'
import { checkDigitOf } from '../../../../oracle/read/identifiers.ts'
import type { Draw } from '../../../../support/draw.ts'
import type { RegisterKind } from './kind.ts'
import { drawFile, someOf, type Table } from './table.ts'

const states =
  '01 02 03 04 05 06 07 08 09 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 26 27 29 30 31 32 33 34 35 36 37 38'.split(
    ' ',
  )

const headers = {
  portal: ['gstin', 'lgnm', 'dty', 'sts', 'rgdt'],
  words: ['GSTIN', 'Legal Name', 'Status'],
} as const
const others = ['tradeNam', 'ctb', 'cxdt', 'nba', 'ntcrbs', 'hsncd', 'stj']
const parts = ['bno', 'flno', 'bnm', 'st', 'loc']
const place = ['city', 'dst', 'stcd', 'pncd']

const statuses = ['Active', 'Cancelled suo-moto', 'SUS', '']
const names = ['KONKAN CASHEW', 'MANDOVI SPICES', 'ZUARI TRADERS']
const words: Readonly<Record<string, readonly string[]>> = {
  lgnm: names,
  'Legal Name': names,
  tradeNam: [...names, ''],
  dty: ['Regular', 'COMPOSITION', ''],
  sts: statuses,
  Status: statuses,
  rgdt: ['25/05/2019', '04/03/2020', '2019-05-25'],
  cxdt: ['', '', '31/01/2024'],
  ctb: ['Proprietorship', 'PVT', ''],
  nba: ['Export;Import', 'Retail Business', ''],
  ntcrbs: ['MFT', ''],
  hsncd: ['8471;0306', ''],
  stj: ['Ward 1', ''],
  bno: ['12', '14 A', ''],
  flno: ['1st', ''],
  bnm: ['Harbour House', ''],
  st: ['MG ROAD', 'Link Road', ''],
  loc: ['Panaji', ''],
  city: ['Pune', 'Panaji', ''],
  dst: ['Pune', 'North Goa', ''],
  stcd: ['Maharashtra', 'Orissa', ''],
  pncd: ['403001', ' 411001', '000000', ''],
  adr: ['12, MG ROAD', '12, MG ROAD, Panaji', '5 Fort', ''],
}

/** Now and then none of an address, some of it, its parts, or the whole of it. */
function drawAddress(draw: Draw): string[] {
  if (draw.oneIn(4)) return ['adr', ...someOf(draw, place)]
  const whole = draw.oneIn(3) ? ['adr'] : []
  const inParts = draw.oneIn(3) ? [] : draw.oneIn(2) ? parts : someOf(draw, parts)
  const ofPlace = draw.oneIn(2) ? place : draw.oneIn(2) ? [] : someOf(draw, place)
  return [...whole, ...inParts, ...ofPlace]
}

const lanes = states.length / 2
const recordsOfLane = 6
const gstinOf = (n: number): string => {
  const lane = Math.floor((n - 1) / recordsOfLane) % lanes
  const first = `${states[2 * lane + (n % 2)]}AAACK${String(n).padStart(4, '0')}A1Z`
  return first + checkDigitOf(first)
}

const table: Table = {
  lanes,
  recordsOfLane,
  nameColumns: ['lgnm', 'Legal Name'],
  drawHeader: (draw) => [
    ...(draw.oneIn(4) ? headers.words : headers.portal),
    ...someOf(draw, others),
    ...drawAddress(draw),
  ],
  drawCell(draw, { n, column }) {
    if (column === 'gstin' || column === 'GSTIN') return draw.oneIn(60) ? '27AABCU9603R1ZM' : gstinOf(n)
    if (column === 'rgdt' && draw.oneIn(60)) return '31/02/2020'
    return draw.of(words[column] ?? ['']) ?? ''
  },
}

export const gst: RegisterKind = {
  ...table,
  name: 'GST registrations',
  source: gstTaxpayers,
  drawFile: (draw) => drawFile(table, draw),
  mayLack: (column) => [...others, ...parts, ...place, 'adr'].includes(column),
  fixed(column, cell, row) {
    if (column === 'rgdt') return cell === '31/02/2020' ? '28/02/2020' : cell
    return cell === '27AABCU9603R1ZM' ? gstinOf(900 + row) : cell
  },
}
