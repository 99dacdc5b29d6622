/** States and PINs of a row: the source's own word for the state, else the identifier's; of an address its end. Registry facts, 1.3. */
import type { PlaceSources } from '../../../config/sources/source.ts'
import { partsOfCin } from './identifiers.ts'
import { textOf, wordKey } from './texts.ts'

/** The states that the oracle knows: one spelling, the letters of CINs, the digits of GSTINs, other spellings. */
const states: readonly (readonly [string, string, string, readonly string[]])[] = [
  ['Goa', 'GA', '30', []],
  ['Maharashtra', 'MH', '27', []],
  ['Karnataka', 'KA', '29', []],
  ['Tamil Nadu', 'TN', '33', ['Tamilnadu']],
  ['Odisha', 'OR', '21', ['Orissa']],
  ['Puducherry', 'PY', '34', ['Pondicherry']],
]

const stateNamed = (text: string): string | undefined =>
  states.find(([name, , , others]) => [name, ...others].some((word) => wordKey(word) === wordKey(text)))?.[0]

/** What the identifier says by itself. */
export function stateOfIdentifier(id: string, letters: 'cin' | 'gstin' | undefined): string | null {
  if (letters === undefined) return null
  const code = letters === 'gstin' ? id.slice(0, 2) : partsOfCin(id)?.letters
  return states.find(([, ofCin, ofGst]) => code === ofCin || code === ofGst)?.[0] ?? null
}

type CellOf = (field: string | undefined) => string | undefined

/** `…,North Goa,Goa,403001-India` */
const segmentsOf = (cell: CellOf, { address }: PlaceSources) =>
  (textOf(cell(address)) ?? '').split(',').map((segment) => textOf(segment))

export function stateOf(cell: CellOf, places: PlaceSources): string | null {
  const told = textOf(cell(places.state))
  if (told !== null) return stateNamed(told) ?? told
  return stateNamed(segmentsOf(cell, places).at(-2) ?? '') ?? null
}

export function pincodeOf(cell: CellOf, places: PlaceSources): string | null {
  const told = textOf(cell(places.pincode))?.replace(/\s/g, '').replace(/\.0+$/, '')
  const pin =
    told ??
    segmentsOf(cell, places)
      .at(-1)
      ?.replace(/-India$/, '')
  return pin !== undefined && /^[1-9]\d{5}$/.test(pin) ? pin : null
}
