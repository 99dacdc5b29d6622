/** The form fields for a new API key, and for rotating one. */
import type { FieldShape, Typed } from './field-shape.ts'
import { keyScopes } from './key-table.tsx'

export const keyFields: readonly FieldShape[] = [
  { name: 'name', label: 'Name', optional: true, hint: 'The program that will use it.' },
  ...keyScopes.map(
    (scope): FieldShape =>
      scope === 'keys'
        ? { name: scope, label: 'May make keys', kind: 'check', optional: true }
        : { name: scope, label: `May ${scope}`, kind: 'check', optional: true, initial: 'on' },
  ),
  { name: 'expires', label: 'Last day', kind: 'date', optional: true },
]

export const rotationFields: readonly FieldShape[] = [
  {
    name: 'overlap',
    label: 'Hours that both keys work',
    kind: 'number',
    initial: '24',
    hint: 'Time to replace the old key with the new one.',
  },
]

export function newKeyOf({ name, expires, ...ticked }: Typed) {
  return {
    ...(name && { name }),
    scopes: keyScopes.filter((scope) => ticked[scope] === 'on'),
    ...(expires && { expires_at: expires }),
  }
}

export function rotatedKeyOf(prefix: string, { overlap }: Typed) {
  return { replaces: prefix, overlap_hours: Number(overlap) }
}
