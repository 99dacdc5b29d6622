/** GSTINs of every kind, unique by index and with a right check digit. */
import { gstinCheckDigit } from '../src/domain/gstin.ts'
import { at } from './random.ts'

export const taxpayerTypes = [
  'Regular',
  'Composition',
  'Tax Deductor',
  'Tax Collector (Electronic Commerce Operator)',
  'Input Service Distributor (ISD)',
  'SEZ Unit',
  'Casual Taxable Person',
  'SEZ Developer',
  'Non Resident Taxable Person',
  'Non Resident Online Services Provider',
  'United Nation Body',
  'Consulate or Embassy of Foreign Country',
] as const
export type TaxpayerType = (typeof taxpayerTypes)[number]

const capitals = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'
const countries =
  'USA GBR SGP ARE NLD IRL DEU FRA JPN CHE CAN AUS SWE ITA ESP KOR HKG MYS THA IDN LKA NPL BGD KEN ZAF BRA'.split(' ')
const agencies = 'UNO WHO FAO ILO WFP UNE UND UNF UNH UNI UNW IMF IBR IFC IDA ITU UPU WMO WIP IMO ICA IFA ADB'.split(
  ' ',
)

const letter = (value: number) => capitals.charAt(value % 26)
const digits = (value: number, places: number) => String(value).padStart(places, '0')

/** Three letters and four digits of a PAN: 175,760,000 of them, visited in an order that looks like none. */
const pansPerLetter = 26 ** 3 * 10_000
const panStep = 48_271_433
/** Below this the serial part of no kind repeats. */
export const taxpayersMax = 20_000_000

/** @param holder the fourth letter: C company, P person, F firm, … The fifth is the initial of the name. */
export function panOf(index: number, shift: number, holder: string, name: string, last: number): string {
  const serial = (index * panStep + shift) % pansPerLetter
  const group = Math.floor(serial / 10_000)
  const initial = /[A-Z]/.exec(name)?.[0] ?? 'X'
  return `${letter(Math.floor(group / 676))}${letter(Math.floor(group / 26))}${letter(group)}${holder}${initial}${digits(serial % 10_000, 4)}${letter(last)}`
}

/** @param entity the 13th character: the how-manieth registration of this PAN in the state. */
export function gstinOf(type: TaxpayerType, state: string, pan: string, entity: string, index: number): string {
  const first14 = first14Of(type, state, pan, entity, index)
  return first14 + gstinCheckDigit(first14)
}

function first14Of(type: TaxpayerType, state: string, pan: string, entity: string, index: number): string {
  const serial = digits(index % 100_000, 5)
  const block = Math.floor(index / 100_000)
  const issued = (holders: readonly string[]) => {
    const year = 17 + (Math.floor(block / holders.length) % 9)
    return `${year}${at(holders, block % holders.length)}${serial}`
  }
  switch (type) {
    case 'Tax Deductor':
      // Issued on a TAN: four letters, five digits, one letter.
      return `${state}${pan.slice(0, 3)}${letter(block)}${serial}${letter(Math.floor(block / 26))}1D`
    case 'Tax Collector (Electronic Commerce Operator)':
      return `${state}${pan}${entity}C`
    case 'Non Resident Taxable Person':
      return `${state}${issued(countries)}NR`
    case 'Non Resident Online Services Provider':
      return `99${issued(countries)}OS`
    case 'United Nation Body':
      return `${state}${issued(agencies)}UN`
    case 'Consulate or Embassy of Foreign Country':
      return `${state}${issued(countries)}UN`
    default:
      return `${state}${pan}${entity}Z`
  }
}
