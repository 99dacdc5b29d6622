/**
 * Reads the telephone numbers of a cell: those that can be called, in E.164 with their type, distinct and in order,
 * and whether the cell contains anything else. A number without a country code is Indian. Toll-free, premium and
 * shared-cost numbers belong to call centres and are dropped. Pure and idempotent.
 */
import { type PhoneNumber, parsePhoneNumberFromString } from 'libphonenumber-js/max'
import { asciiForm } from '../ascii-form.ts'
import { visibleSigns } from '../visible-text.ts'

export type PhoneType = 'mobile' | 'landline'

export interface Phone {
  /** E.164: `+919812345678`. */
  readonly number: string
  readonly type: PhoneType
}

export interface PhonesRead {
  readonly phones: readonly Phone[]
  /** True if part of the cell is not a lead's number. */
  readonly hasJunk: boolean
}

const phonesMax = 10
const cellLengthMax = 500

export function readPhones(cell: string): PhonesRead {
  if (cell.length > cellLengthMax) return { phones: [], hasJunk: true }
  const pieces = asciiForm(visibleSigns(cell))
    .split(
      /[,;|/&\r\n\t]+|\b(?:and|or)\b|(?<=\d\s{0,3})(?=\b(?:mob|mobile|ph|phone|tel|off|office|res|cell|whatsapp)\b)/i,
    )
    .map((piece) => piece.trim())
    .filter((piece) => piece !== '')
  const found = pieces.map(phonesOf)
  const phones = new Map(found.flat().map((phone) => [phone.number, phone]))
  return { phones: [...phones.values()].slice(0, phonesMax), hasJunk: found.some((each) => each.length === 0) }
}

function phonesOf(piece: string): Phone[] {
  const whole = phoneOf(piece)
  if (whole) return [whole]
  // Several separated by blanks: each must be a number of its own.
  const words = piece.split(/\s+/)
  const each = words.map((word) => (word.replace(/\D/g, '').length >= 10 ? phoneOf(word) : undefined))
  return words.length > 1 && each.every((phone) => phone !== undefined) ? each : []
}

/** A single digit repeated, or the keys in order. */
const isPlaceholder = /^(?:(\d)\1+|1234567890|9876543210)$/

/** A number from a spreadsheet: `9812345678.0`, or `9.812345678E9` if no digit was lost. */
function fromSpreadsheet(text: string): string {
  const power = /^(\d)\.(\d{9,11})E\+?(\d{1,2})$/i.exec(text)
  if (power?.[2]?.length === Number(power?.[3])) return `${power?.[1]}${power?.[2]}`
  return text.replace(/(\d{10})\.0+$/, '$1')
}

/** Shorter numbers, country code included, are never a lead's, although some numbering plans allow them. */
const isCallable = /^\+[1-9]\d{6,14}$/

function phoneOf(text: string): Phone | undefined {
  const parsed = parsePhoneNumberFromString(fromSpreadsheet(text), 'IN')
  if (!parsed?.isPossible() || !isCallable.test(parsed.number) || isPlaceholder.test(parsed.nationalNumber))
    return undefined
  // A number that does not parse back to itself, such as a prefix mistaken for a country code, cannot be called.
  const again = parsePhoneNumberFromString(parsed.number)
  if (again?.number !== parsed.number || !again.isPossible()) return undefined
  const type = typeOf(parsed)
  return type && { number: parsed.number, type }
}

/** undefined for numbers that cannot be a lead's, and for Indian ones without an area code. */
function typeOf(phone: PhoneNumber): PhoneType | undefined {
  switch (phone.getType()) {
    case 'MOBILE':
    case 'FIXED_LINE_OR_MOBILE':
      return 'mobile'
    case 'FIXED_LINE':
    case 'VOIP':
    case 'PERSONAL_NUMBER':
      return 'landline'
    case undefined:
      // Possible, in a series that the library does not know yet.
      if (phone.countryCallingCode !== '91') return 'landline'
      if (/^[6-9]\d{9}$/.test(phone.nationalNumber)) return 'mobile'
      return /^[1-5]\d{9}$/.test(phone.nationalNumber) ? 'landline' : undefined
    default:
      return undefined
  }
}
