/**
 * Values that are certain to be refused, found before anything is sent: a plan reports them without writing, and a
 * push wastes no call on them. Doubtful values are left to HubSpot.
 */
import { isIsoDate } from '../../src/domain/iso-date.ts'
import type { Refusal } from '../contract.ts'
import { type MappedProperty, textLengthMax } from './mapping.ts'

/**
 * E-mails are checked in companies too, where HubSpot would accept any text: a lead with an invalid address is
 * rejected, whichever object it becomes.
 */
const emailProperties = new Set(['email', 'panji_email'])
const emailShape = /^[^\s@"<>(),;:\\[\]]+@[^\s@"'<>(),;:\\[\]]+\.[^\s@."'<>(),;:\\[\]]{2,}$/

const numberShape = /^-?(\d+(\.\d*)?|\.\d+)$/

/** @returns null if every value may be accepted. */
export function foreseenRefusal(
  values: ReadonlyMap<string, string>,
  properties: ReadonlyMap<string, MappedProperty>,
): Refusal | null {
  for (const [name, value] of values) {
    const property = properties.get(name)
    const fault = value === '' || property === undefined ? null : faultOfValue(property, value)
    if (fault !== null) return { ...fault, field: name }
  }
  return null
}

function faultOfValue({ name, type }: MappedProperty, value: string): Omit<Refusal, 'field'> | null {
  if (emailProperties.has(name) && !emailShape.test(value))
    return { code: 'INVALID_EMAIL', message: `${value} is no e-mail address` }
  if (type === 'number' && !numberShape.test(value))
    return { code: 'INVALID_INTEGER', message: `${value} is no number` }
  if (type === 'date' && !isIsoDate(value))
    return { code: 'INVALID_DATE', message: `${value} is no day of the form YYYY-MM-DD` }
  if (value.length > textLengthMax)
    return { code: 'VALUE_TOO_LONG', message: `${value.length} characters, at most ${textLengthMax} are kept` }
  return null
}
