/** Removes invisible characters from every text of a record, at any depth. */
import { visibleLine } from '../domain/visible-text.ts'

export function visibleRecord<T>(value: T): T {
  return cleaned(value) as T
}

function cleaned(value: unknown): unknown {
  if (typeof value === 'string') return visibleLine(value)
  if (Array.isArray(value)) return value.map(cleaned)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, cleaned(each)]))
}
