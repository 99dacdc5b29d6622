/** States and PINs of a row: the source's own word for the state, else the identifier's; of an address its end. Registry facts, 1.3. */
import type { PlaceSources } from '../../../config/sources/source.ts'
import { partsOfCin } from './identifiers.ts'
import { textOf, wordKey } from './texts.ts'

/** One spelling, the digits of GSTINs, the letters of CINs, other spellings: registry facts, 2 and 3. */
const states: readonly (readonly [string, string, string, readonly string[]])[] = [
  ['Jammu and Kashmir', '01', 'JK', []],
  ['Himachal Pradesh', '02', 'HP', []],
  ['Punjab', '03', 'PB', []],
  ['Chandigarh', '04', 'CH', []],
  ['Uttarakhand', '05', 'UR UT', []],
  ['Haryana', '06', 'HR', []],
  ['Delhi', '07', 'DL', []],
  ['Rajasthan', '08', 'RJ', []],
  ['Uttar Pradesh', '09', 'UP', []],
  ['Bihar', '10', 'BR', []],
  ['Sikkim', '11', 'SK', []],
  ['Arunachal Pradesh', '12', 'AR', []],
  ['Nagaland', '13', 'NL', []],
  ['Manipur', '14', 'MN', []],
  ['Mizoram', '15', 'MZ', []],
  ['Tripura', '16', 'TR', []],
  ['Meghalaya', '17', 'ML', []],
  ['Assam', '18', 'AS', []],
  ['West Bengal', '19', 'WB', []],
  ['Jharkhand', '20', 'JH', []],
  ['Odisha', '21', 'OR OD', ['Orissa']],
  ['Chhattisgarh', '22', 'CT CG', ['Chattisgarh']],
  ['Madhya Pradesh', '23', 'MP', []],
  ['Gujarat', '24', 'GJ', []],
  ['Dadra and Nagar Haveli and Daman and Diu', '25 26', 'DD DN', []],
  ['Maharashtra', '27', 'MH PN', []],
  ['Karnataka', '29', 'KA', []],
  ['Goa', '30', 'GA', []],
  ['Lakshadweep', '31', 'LD', []],
  ['Kerala', '32', 'KL', []],
  ['Tamil Nadu', '33', 'TN TZ', ['Tamilnadu']],
  ['Puducherry', '34', 'PY', ['Pondicherry']],
  ['Andaman and Nicobar Islands', '35', 'AN', []],
  ['Telangana', '36', 'TG TS', []],
  ['Andhra Pradesh', '28 37', 'AP', []],
  ['Ladakh', '38', '', []],
]

const stateNamed = (text: string): string | undefined =>
  states.find(([name, , , others]) => [name, ...others].some((word) => wordKey(word) === wordKey(text)))?.[0]

/** What the identifier says by itself. */
export function stateOfIdentifier(id: string, letters: 'cin' | 'gstin' | undefined): string | null {
  if (letters === undefined) return null
  const code = letters === 'gstin' ? id.slice(0, 2) : partsOfCin(id)?.letters
  if (code === undefined) return null
  return states.find(([, digits, ofCin]) => `${digits} ${ofCin}`.split(' ').includes(code))?.[0] ?? null
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
