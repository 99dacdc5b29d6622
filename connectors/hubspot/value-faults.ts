/**
 * Values that are certain to be refused, found before anything is sent: a plan says so without writing, and a push
 * spends no call on them. Whatever is doubtful is left to HubSpot.
 */
import { isIsoDate } from '../../src/domain/iso-date.ts'
import type { Refusal } from '../contract.ts'
import { type MappedProperty, textLengthMax } from './mapping.ts'

/**
 * E-mails are checked in companies too, where they lie in a text property that HubSpot would take with anything in it:
 * a lead with an address that cannot be written to is a reject, whichever object it becomes.
 */
const emailProperties = new Set(['email', 'panji_email'])
const emailShape = /^[^\s@"<>(),;:\\[\]]+@[^\s@"'<>(),;:\\[\]]+\.[^\s@."'<>(),;:\\[\]]{2,}$/

const numberShape = /^-?(\d+(\.\d*)?|\.\d+)$/

/** @returns null when every value may pass. */
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
