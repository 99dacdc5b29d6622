/**
 * The fields that Panji adds to a Lead, the most useful first, since the smallest edition allows ten; values without
 * a field of their own go into the Description.
 */
import type { CrmField } from '../contract.ts'
import { byColumn, type ManagedColumn, managedColumns } from '../managed-columns.ts'
import { isLongEnough } from '../managed-value.ts'

export interface ManagedField extends ManagedColumn {
  /** Zoho derives it from the label, with underscores for spaces. */
  readonly name: string
}

export const managedFields: readonly ManagedField[] = managedColumns.map((each) => ({
  ...each,
  name: each.label.replaceAll(' ', '_'),
}))

export const managedFieldOf = byColumn(managedFields)

const typesByKind: Readonly<Record<ManagedField['kind'], readonly string[]>> = {
  text: ['text', 'textarea'],
  list: ['text', 'textarea'],
  identifier: ['text', 'textarea'],
  date: ['date'],
  amount: ['double', 'currency'],
  count: ['integer', 'double'],
}

/** False for a field of the same name that the customer made for another purpose. */
export function isOfKind(managed: ManagedField, { type, lengthMax }: CrmField): boolean {
  return typesByKind[managed.kind].includes(type) && isLongEnough(managed, lengthMax)
}
