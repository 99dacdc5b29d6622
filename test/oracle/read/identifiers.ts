/** Identifiers of companies, directors and GST registrations, and what they say by themselves: registry facts, 3. */
import { Rejected, textOf } from './texts.ts'

const compact = (cell: string | undefined): string => (textOf(cell) ?? '').toUpperCase().replace(/\s/g, '')
const cinShape = /^([LU])(\d{5})([A-Z]{2})(\d{4})[A-Z]{3}\d{6}$/

export function companyIdOf(cell: string | undefined): string {
  const id = compact(cell).replace(/^(F?[A-Z]{3})(\d{4})$/, '$1-$2')
  if (cinShape.test(id) || /^F?[A-Z]{3}-\d{4}$/.test(id) || /^F\d{4,8}$/.test(id)) return id
  throw new Rejected('cin_malformed')
}

export function companyTypeOf(id: string): string {
  if (cinShape.test(id)) return 'Company'
  if (/^F\d/.test(id)) return 'Foreign Company'
  return id.length === 9 ? 'Foreign LLP' : 'LLP'
}

export interface CinParts {
  readonly listing: string
  readonly nic: string
  readonly letters: string
  readonly year: number
}
export function partsOfCin(id: string): CinParts | null {
  const [, letter, nic = '', letters = '', year = ''] = cinShape.exec(id) ?? []
  if (letter === undefined) return null
  return { listing: letter === 'L' ? 'Listed' : 'Unlisted', nic, letters, year: Number(year) }
}

export function dinOf(cell: string | undefined): string {
  const digits = compact(cell).replace(/\.0+$/, '')
  if (!/^\d{1,8}$/.test(digits) || Number(digits) === 0) throw new Rejected('din_malformed')
  return digits.padStart(8, '0')
}

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ'
export function checkDigitOf(first14: string): string {
  const sum = [...first14].reduce((total, sign, place) => {
    const product = alphabet.indexOf(sign) * (place % 2 === 0 ? 1 : 2)
    return total + Math.floor(product / 36) + (product % 36)
  }, 0)
  return alphabet.charAt((36 - (sum % 36)) % 36)
}

const normalShape = /^\d{2}[A-Z]{5}\d{4}[A-Z][1-9A-Z]Z[0-9A-Z]$/
const shapes: readonly (readonly [string, RegExp])[] = [
  ['tcs', /^\d{2}[A-Z]{5}\d{4}[A-Z][1-9A-Z]C[0-9A-Z]$/],
  ['tds', /^\d{2}[A-Z]{4}[A-Z0-9]\d{4}[A-Z][1-9A-Z]D[0-9A-Z]$/],
  ['normal', normalShape],
  ['uin', /^\d{4}[A-Z]{3}\d{5}[UO]N[A-Z0-9]$/],
]
const stateCode = /^(0[1-9]|[12]\d|3[0-8]|97|99)/
const kindOf = (id: string): string | undefined =>
  stateCode.test(id) ? shapes.find(([, shape]) => shape.test(id))?.[0] : undefined

/** O for 0 and I for 1, where the shape leaves no choice and the check digit proves it. */
export function gstinOf(cell: string | undefined): string {
  const id = compact(cell)
  const isProved = (text: string) => kindOf(text) !== undefined && text.endsWith(checkDigitOf(text.slice(0, 14)))
  if (isProved(id)) return id
  const digit = (sign: string) => sign.replace('O', '0').replace('I', '1')
  const letter = (sign: string) => sign.replace('0', 'O').replace('1', 'I')
  const meant = [...id].map((sign, place) =>
    place < 2 || (place > 6 && place < 11) ? digit(sign) : place < 12 ? letter(sign) : sign,
  )
  if (stateCode.test(meant.join('')) && normalShape.test(meant.join('')) && isProved(meant.join('')))
    return meant.join('')
  throw new Rejected('gstin_malformed')
}

export const gstinKindOf = (id: string): string => kindOf(id) ?? ''

export function panOf(id: string): string | null {
  const pan = id.slice(2, 12)
  const mayHold = ['normal', 'tcs', 'tds'].includes(gstinKindOf(id))
  return mayHold && /^[A-Z]{3}[ABCFGHJLPT][A-Z]\d{4}[A-Z]$/.test(pan) ? pan : null
}
