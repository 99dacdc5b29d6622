/**
 * Converts a lead's column to the value of a managed field. Each connector defines which fields there are, and their
 * types.
 */
import { isIsoDate } from '../src/domain/iso-date.ts'
import { shorten } from './shorten.ts'

export interface ManagedKind {
  readonly kind: 'text' | 'list' | 'identifier' | 'date' | 'amount' | 'count'
  /** Characters, or digits of a number. */
  readonly length: number
}

/** An identifier is never cut, so its field must fit all of it. */
export const isLongEnough = ({ kind, length }: ManagedKind, lengthMax: number | null): boolean =>
  kind !== 'identifier' || lengthMax === null || lengthMax >= length

/** The value as the field accepts it; null if it cannot hold any of it. */
export function managedValue(
  { kind }: Pick<ManagedKind, 'kind'>,
  value: string | number,
  lengthMax: number | null,
): string | number | null {
  const text = String(value)
  switch (kind) {
    case 'amount':
    case 'count':
      return typeof value === 'number' ? value : null
    case 'date':
      return isIsoDate(text) ? text : null
    case 'identifier':
      return lengthMax !== null && text.length > lengthMax ? null : text
    case 'list':
      return wholeItems(text, lengthMax)
    case 'text':
      return lengthMax === null ? text : shorten(text, lengthMax)
  }
}

/** Lists of codes are cut between codes, never within one. */
function wholeItems(text: string, lengthMax: number | null): string | null {
  if (lengthMax === null || text.length <= lengthMax) return text
  const end = text.lastIndexOf(';', lengthMax)
  return end > 0 ? text.slice(0, end) : null
}
