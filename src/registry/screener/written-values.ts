/** Amounts and days as people write them: accepted if the language has them, otherwise what a message suggests. */
import { isIsoDate } from '../../domain/iso-date.ts'

const digitsShape = /-?\d[\d_]*(?:\.\d+)?/y
/** Indian amounts: 10 lakh is 1,000,000 and 1 crore 10,000,000. */
const unitShape = /\s*(lakhs?|lacs?|crores?|cr)(?![A-Za-z0-9_])/iy
const zerosOfUnit = (unit: string): number => (/^l/i.test(unit) ? 5 : 7)
/** Units that are recognised but not accepted, with their zeros. */
const foreignUnitShape = /\s*(thousand|k|millions?|mn|m|billions?|bn|l)(?![A-Za-z0-9_])/iy
const zerosOfForeignUnit: Readonly<Record<string, number>> = { t: 3, k: 3, m: 6, b: 9, l: 5 }
/** `1e6`, as programs write large numbers. */
const powerShape = /e\+?(\d{1,2})(?![A-Za-z0-9_.])/iy
const currencyShape = /(?:₹|(?:rs|inr)(?![A-Za-z0-9_])\.?)\s*/iy
/** 1,00,000 and 100,000: the last group has three digits. */
const groupedShape = /-?\d{1,3}(?:,\d{2,3})*,\d{3}(?:\.\d+)?(?![\d,])/y
const dayShape = /(?:\d{1,2}([-/.])\d{1,2}\1\d{4}|\d{4}([-/.])\d{1,2}\2\d{1,2})(?![\w/.-])/y

const matchAt = (shape: RegExp, text: string, at: number): RegExpExecArray | null => {
  shape.lastIndex = at
  return shape.exec(text)
}

export interface WrittenAmount {
  readonly raw: string
  /** Digits and at most one decimal point. */
  readonly value: string
  /** Whether the language has this spelling. */
  readonly isOurs: boolean
}

/** The amount at this position. */
export function amountAt(text: string, at: number): WrittenAmount | undefined {
  const currency = matchAt(currencyShape, text, at)?.[0] ?? ''
  const from = at + currency.length
  const inGroups = matchAt(groupedShape, text, from)?.[0]
  const grouped = inGroups !== undefined && isMembers(text, from, inGroups) ? undefined : inGroups
  const raw = grouped ?? matchAt(digitsShape, text, from)?.[0]
  if (raw === undefined) return undefined
  const end = from + raw.length
  const unit = matchAt(unitShape, text, end)
  const foreign = matchAt(foreignUnitShape, text, end)
  const power = matchAt(powerShape, text, end)
  const zeros = unit
    ? zerosOfUnit(unit[1] ?? '')
    : foreign
      ? (zerosOfForeignUnit[(foreign[1] ?? '').charAt(0).toLowerCase()] ?? 0)
      : Number(power?.[1] ?? 0)
  return {
    raw: currency + raw + ((unit ?? foreign ?? power)?.[0] ?? ''),
    value: scaled(raw.replaceAll(/[_,]/g, ''), zeros),
    isOurs: currency === '' && grouped === undefined && !foreign && !power,
  }
}

/**
 * Whether the commas separate elements of a list, `IN [100,200]`; a group that begins with 0, as in 1,00,000, is not
 * one.
 */
function isMembers(text: string, at: number, inGroups: string): boolean {
  const opening = text.lastIndexOf('[', at)
  return opening >= 0 && !/['\]]/.test(text.slice(opening, at)) && !inGroups.includes(',0')
}

/** The whole text as an amount. */
export function amountMeant(text: string): string | undefined {
  const amount = amountAt(text.trim(), 0)
  return amount?.raw.length === text.trim().length ? amount.value : undefined
}

/** The day at this position, in the numeric formats of other countries and programs. */
export const dayAt = (text: string, at: number): string | undefined => matchAt(dayShape, text, at)?.[0]

/** `31/01/2024` and `2024/1/31` as `2024-01-31`; undefined if there is no such day. */
export function dayMeant(text: string): string | undefined {
  const numbers = text.split(/[-/.]/)
  const [year = '', month = '', day = ''] = numbers[0]?.length === 4 ? numbers : numbers.toReversed()
  const iso = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
  return isIsoDate(iso) ? iso : undefined
}

/** Moves the decimal point to the right as text, because a float would lose digits. */
function scaled(digits: string, zeros: number): string {
  const [whole = '', fraction = ''] = digits.split('.')
  const moved = fraction.padEnd(zeros, '0')
  const rest = moved.slice(zeros)
  return `${whole}${moved.slice(0, zeros)}${rest === '' ? '' : `.${rest}`}`
}

/** `10 lakh`, `2.5 crore`; unchanged if that would need more than two decimals. */
export function inLakhAndCrore(digits: string): string {
  const zeros = digits.length > 7 ? 7 : 5
  const isRound = /^[1-9]\d{5,}$/.test(digits) && digits.endsWith('0'.repeat(zeros - 2))
  if (!isRound) return digits
  const hundredths = digits.slice(-zeros, 2 - zeros).replace(/0{1,2}$/, '')
  return `${digits.slice(0, -zeros)}${hundredths && `.${hundredths}`} ${zeros === 7 ? 'crore' : 'lakh'}`
}
