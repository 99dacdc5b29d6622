/**
 * The fields that Panji keeps on a Lead beside the standard ones, the most useful first: the smallest edition allows ten,
 * and what has no field of its own lies in the Description.
 */
import type { CrmField } from '../contract.ts'
import { byColumn, type ManagedColumn, managedColumns } from '../managed-columns.ts'
import { isLongEnough } from '../managed-value.ts'

export interface ManagedField extends ManagedColumn {
  /** Zoho makes it of the label, with underscores for spaces. */
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

/** A field of that name may be the customer's own, made for something else. */
export function isOfKind(managed: ManagedField, { type, lengthMax }: CrmField): boolean {
  return typesByKind[managed.kind].includes(type) && isLongEnough(managed, lengthMax)
}
