/**
 * Files of companies as a dozen registrars' offices send them, side by side in one file: each lane has two registrars and six companies of its
 * own, so that what becomes of one lane tells nothing of another, and one run is a step in the sequence of each lane that it names.
 */

import { cinOf } from '../../../support/company-snapshots.ts'
import type { Draw } from '../../../support/draw.ts'

const places = [
  ...[
    'Ahmedabad',
    'Bangalore',
    'Chandigarh',
    'Chennai',
    'Coimbatore',
    'Cuttack',
    'Delhi',
    'Ernakulam',
    'Goa',
    'Gwalior',
  ],
  ...['Hyderabad', 'Jaipur', 'Jammu', 'Jharkhand', 'Kanpur', 'Kolkata', 'Mumbai', 'Patna', 'Pondicherry', 'Pune'],
  ...['Shillong', 'Uttarakhand', 'Vijayawada', 'Guwahati'],
] as const
export const lanes = places.length / 2
const companiesOfLane = 6

/** Without the registrar a file tells of no part. */
const headers = {
  whole: ['CIN', 'CompanyName', 'CompanyROCcode', 'CompanyRegistrationdate_date'],
  bare: ['CIN', 'CompanyName', 'CompanyStatus', 'AuthorizedCapital', 'PaidupCapital', 'CompanyClass'],
} as const
const others = [
  ...['CompanyStatus', 'CompanyClass', 'AuthorizedCapital', 'PaidupCapital'],
  ...['Registered_Office_Address', 'CompanyStateCode', 'EMAIL', 'PREVIOUS_CIN'],
]
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
const spellings: readonly ((place: string) => string)[] = [
  (place) => `ROC ${place}`,
  (place) => `ROC ${place.toUpperCase()}`,
  (place) => `RoC-${place}`,
]

export interface DrawnFile {
  readonly lanes: readonly number[]
  readonly text: string
}

export function drawFile(draw: Draw): DrawnFile {
  const isBare = draw.oneIn(12)
  const header = isBare ? headers.bare : [...headers.whole, ...others.filter(() => !draw.oneIn(3))]
  // Now and then of one lane alone, else of some or of nearly all.
  const one = draw.below(lanes)
  const many = draw.of([1, 2, 6, 6]) ?? 1
  const chosen = Array.from({ length: lanes }, (_, lane) => lane).filter((lane) =>
    many === 1 ? lane === one : !draw.oneIn(many),
  )
  const rows = chosen.flatMap((lane) => drawRows(draw, lane, header))
  return { lanes: chosen, text: `${[header, ...rows].map((cells) => cells.join(',')).join('\n')}\n` }
}

function drawRows(draw: Draw, lane: number, header: readonly string[]): string[][] {
  const isHalf = draw.oneIn(6)
  const rows = Array.from({ length: companiesOfLane }, (_, at) => lane * companiesOfLane + at + 1)
    .filter(() => !draw.oneIn(isHalf ? 2 : 7))
    .map((n) => header.map((column) => drawCell(draw, lane, n, column)))
  const twice = draw.oneIn(10) ? draw.of(rows) : undefined
  return twice ? [...rows, twice.map((cell, at) => (header[at] === 'CompanyName' ? 'TWICE LIMITED' : cell))] : rows
}

export const repairable = { name: '', cin: 'U74999GA2019PTC00' } as const

function drawCell(draw: Draw, lane: number, n: number, column: string): string {
  if (column === 'CIN') return draw.oneIn(60) ? repairable.cin : cinOf(n)
  if (column === 'CompanyName' && draw.oneIn(40)) return repairable.name
  if (column !== 'CompanyROCcode') return draw.of(words[column] ?? ['']) ?? ''
  if (draw.oneIn(40)) return ''
  const place = places[2 * lane + (draw.oneIn(5) ? 1 : 0)] ?? ''
  return (draw.of(spellings) ?? String)(place)
}

/** A complete file in which every company has its neighbour's name. */
export function neighboursNames(text: string): string {
  const [header = '', ...rows] = text.trimEnd().split('\n')
  const cells = rows.map((row) => row.split(','))
  const shifted = cells.map((row, at) =>
    row.map((cell, column) => (column === 1 ? (cells[(at + 1) % cells.length]?.[1] ?? cell) : cell)),
  )
  return `${[header, ...shifted.map((row) => row.join(','))].join('\n')}\n`
}
