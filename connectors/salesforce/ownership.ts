/**
 * Which fields a push may write into a record that is there. A rep's edit is worth more than ours: a field that is not
 * `always` ours is written only where it is empty or still holds what we wrote.
 */
import type { FieldValues } from './mapping.ts'
import type { Ownership } from './settings.ts'

export interface FieldDecision {
  /** Fields to send; empty when the record needs nothing. */
  readonly write: FieldValues
  /** Fields whose new value a rep's edit holds back. */
  readonly withheld: readonly string[]
  /** What to remember as pushed once the write is accepted; of a field held back, what we wrote before. */
  readonly values: Readonly<Record<string, unknown>>
}

/** @param present the record in the CRM; null where there is none. */
export function decideFields(
  target: FieldValues,
  present: Readonly<Record<string, unknown>> | null,
  lastPushed: Readonly<Record<string, unknown>> | null,
  ownership: Readonly<Record<string, Ownership>>,
): FieldDecision {
  const write: Record<string, string | number> = {}
  const values: Record<string, unknown> = {}
  const withheld: string[] = []
  for (const [field, value] of Object.entries(target)) {
    const current = present?.[field] ?? null
    const before = lastPushed?.[field] ?? null
    if (present !== null && isSame(current, value)) {
      values[field] = value
    } else if (present === null || mayWrite(ownership[field] ?? 'if_unchanged', current, before)) {
      write[field] = value
      values[field] = value
    } else {
      if (before !== null) values[field] = before
      if (!isSame(before, value)) withheld.push(field)
    }
  }
  return { write, withheld, values }
}

function mayWrite(ownership: Ownership, current: unknown, before: unknown): boolean {
  switch (ownership) {
    case 'always':
      return true
    case 'if_empty':
      return isEmpty(current)
    case 'if_unchanged':
      // A field that a rep cleared is an edit too.
      return before === null ? isEmpty(current) : isSame(current, before)
  }
}

const isEmpty = (value: unknown) => value === null || value === undefined || value === ''

/** Equal as the CRM shows it: numbers may come back as text, line ends as CR LF. */
function isSame(left: unknown, right: unknown): boolean {
  if (isEmpty(left) || isEmpty(right)) return isEmpty(left) && isEmpty(right)
  return textOf(left) === textOf(right)
}

const textOf = (value: unknown) => String(value).replaceAll('\r\n', '\n').trim()
