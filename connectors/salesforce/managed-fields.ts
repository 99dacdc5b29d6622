/**
 * The fields that Panji keeps on a Lead beside the standard ones, so that people can filter and report by what the
 * register says. Set-up creates them where the user may; the package in `package/` holds the same for an administrator.
 * A column whose field is absent, or is of another kind, lies in the Description: no lead waits for a field.
 */
import { leadColumns } from '../../config/lead-columns.ts'
import type { EntityType } from '../../src/domain/identity.ts'
import type { CrmField } from '../contract.ts'
import { byColumn, type ManagedColumn, managedColumns } from '../managed-columns.ts'
import { isLongEnough } from '../managed-value.ts'
import type { SalesforceObject } from './question.ts'

export interface ManagedField extends ManagedColumn {
  readonly name: string
}

/** Salesforce has one kind of number, counted in digits. */
const digits = 18
export const isNumber = ({ kind }: Pick<ManagedColumn, 'kind'>): boolean => kind === 'amount' || kind === 'count'

export const managedFields: readonly ManagedField[] = managedColumns.map((each) => ({
  ...each,
  name: `${each.label.replaceAll(' ', '_')}__c`,
  length: isNumber(each) ? digits : each.length,
}))

/** Whose rows lie in an object. */
const rowsOf: Readonly<Record<SalesforceObject, readonly EntityType[]>> = {
  Lead: ['company', 'gst', 'director'],
  Account: ['company', 'gst'],
  Contact: ['director'],
}

/** Those that rows of the object fill. */
export function managedFieldsOf(object: SalesforceObject): readonly ManagedField[] {
  const columns = new Set(rowsOf[object].flatMap((type) => leadColumns[type].map(({ name }) => name)))
  return managedFields.filter((each) => each.columns.some((column) => columns.has(column)))
}

export const managedFieldOf = byColumn(managedFields)

const typesByKind: Readonly<Record<ManagedField['kind'], readonly string[]>> = {
  text: ['string', 'textarea'],
  list: ['string', 'textarea'],
  identifier: ['string', 'textarea'],
  date: ['date'],
  amount: ['double', 'currency', 'int'],
  count: ['double', 'currency', 'int'],
}

/** A field of that name may be the customer's own, made for something else. */
export function isOfKind(managed: ManagedField, { type, lengthMax, allowed }: CrmField): boolean {
  return typesByKind[managed.kind].includes(type) && isLongEnough(managed, lengthMax) && allowed === null
}
