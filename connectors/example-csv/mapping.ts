/**
 * Maps a lead's row to the columns of its file: the external id, then all columns of its type under their own names.
 */
import { leadColumns } from '../../config/lead-columns.ts'
import { entityTypes } from '../../src/domain/identity.ts'
import type { CrmField, OutgoingLead, Refusal } from '../contract.ts'
import { layOver, overridesOf, withIdentity } from '../overrides.ts'

export const identityColumn = 'Panji_Id'
/** The longest text that a spreadsheet keeps in a cell. */
const cellLengthMax = 32_767
const emailShape = /^[^\s@]+@[^\s@]+\.[^\s@.]{2,}$/

/** The desired values with the customer's own mapping applied; the empty text if the register has none. */
export function desiredValues(lead: OutgoingLead): Readonly<Record<string, string>> {
  const { type, row } = lead
  const values = new Map(leadColumns[type].map(({ name }) => [name, String(row[name] ?? '').trim()] as const))
  layOver(overridesOf(lead), (column, value) => {
    if (value === null) values.delete(column)
    else values.set(column, value.trim())
  })
  return Object.fromEntries(values)
}

/** All columns of a new file; columns that people add to a file are kept. */
export function emptyRecord({ type, externalId }: OutgoingLead): Readonly<Record<string, string>> {
  return { [identityColumn]: externalId, ...Object.fromEntries(leadColumns[type].map(({ name }) => [name, ''])) }
}

/** Why the lead cannot be delivered, whatever is in the folder; the same for a plan and a push. */
export function foreseenRefusal(values: Readonly<Record<string, string>>): Refusal | null {
  for (const [field, value] of Object.entries(values)) {
    if (field === 'Email' && value !== '' && !emailShape.test(value))
      return { code: 'INVALID_EMAIL_ADDRESS', field, message: `${value} is no e-mail address` }
    if (value.length > cellLengthMax)
      return { code: 'VALUE_TOO_LONG', field, message: `${value.length} characters, a cell takes ${cellLengthMax}` }
  }
  return null
}

/** Numeric columns of the register, which the file returns as text. */
export const numericColumns: ReadonlySet<string> = new Set(
  entityTypes.flatMap((type) => leadColumns[type].filter(({ kind }) => kind === 'number').map(({ name }) => name)),
)

export function describeColumns(): CrmField[] {
  const names = new Set([identityColumn, ...entityTypes.flatMap((type) => leadColumns[type].map(({ name }) => name))])
  const fields = [...names].map((name) => ({
    name,
    label: name,
    type: numericColumns.has(name) ? 'number' : 'text',
    lengthMax: cellLengthMax,
    required: name === identityColumn,
    allowed: null,
  }))
  return withIdentity(fields, (name) => name === identityColumn)
}
