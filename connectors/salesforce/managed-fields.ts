/**
 * The fields that Panji adds to a Lead, so that people can filter and report by register data. Set-up creates them if
 * the user may; the package in `package/` lets an administrator deploy the same ones. A column whose field is
 * missing, or of another type, goes into the Description: no lead waits for a field.
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

/** Salesforce has one number type, counted in digits. */
const digits = 18
export const isNumber = ({ kind }: Pick<ManagedColumn, 'kind'>): boolean => kind === 'amount' || kind === 'count'

export const managedFields: readonly ManagedField[] = managedColumns.map((each) => ({
  ...each,
  name: `${each.label.replaceAll(' ', '_')}__c`,
  length: isNumber(each) ? digits : each.length,
}))

/** Which types of leads an object stores. */
const rowsOf: Readonly<Record<SalesforceObject, readonly EntityType[]>> = {
  Lead: ['company', 'gst', 'director'],
  Account: ['company', 'gst'],
  Contact: ['director'],
}

/** The fields that rows of the object fill. */
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

/** False for a field of the same name that the customer made for another purpose. */
export function isOfKind(managed: ManagedField, { type, lengthMax, allowed }: CrmField): boolean {
  return typesByKind[managed.kind].includes(type) && isLongEnough(managed, lengthMax) && allowed === null
}
