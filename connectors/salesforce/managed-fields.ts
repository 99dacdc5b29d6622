/**
 * The fields that Panji keeps on a Lead beside the standard ones, so that people can filter and report by what the
 * register says. Set-up creates them where the user may; the package in `package/` holds the same for an administrator.
 * A column whose field is absent, or is of another kind, lies in the Description: no lead waits for a field.
 */
import { leadColumns } from '../../config/lead-columns.ts'
import type { EntityType } from '../../src/domain/identity.ts'
import type { CrmField } from '../contract.ts'
import { isLongEnough, type ManagedKind } from '../managed-value.ts'
import type { SalesforceObject } from './question.ts'

export interface ManagedField extends ManagedKind {
  /** Lead columns that fill it; no two of them belong to one kind of lead. */
  readonly columns: readonly string[]
  readonly name: string
  readonly label: string
  readonly kind: 'text' | 'list' | 'identifier' | 'date' | 'number'
}

const field = (
  columns: string,
  name: string,
  kind: ManagedField['kind'],
  length: number = kind === 'number' ? 18 : 255,
): ManagedField => ({
  columns: columns.split(' '),
  name: `${name}__c`,
  label: name.replaceAll('_', ' '),
  kind,
  length,
})

export const managedFields: readonly ManagedField[] = [
  field('GSTIN', 'GSTIN', 'identifier', 15),
  field('PAN', 'PAN', 'identifier', 10),
  field('CIN', 'CIN', 'identifier', 21),
  field('DIN', 'DIN', 'identifier', 8),
  field('Status llpStatus DINStatus', 'Registry_Status', 'text', 100),
  field('LegalName', 'Legal_Name', 'text'),
  field('TradeName', 'Trade_Name', 'text'),
  field('TaxpayerType', 'Taxpayer_Type', 'text', 100),
  field('ConstitutionBusiness', 'Constitution_of_Business', 'text', 100),
  field('COREBUSINESS', 'Core_Business', 'text'),
  field('BusinessActivities', 'Business_Activities', 'list'),
  field('HSNCodes', 'HSN_Codes', 'list'),
  field('HSNDescriptions', 'HSN_Descriptions', 'text'),
  field('SACCodes', 'SAC_Codes', 'list'),
  field('SACDescriptions', 'SAC_Descriptions', 'text'),
  field('DateOfRegistration', 'GST_Registration_Date', 'date'),
  field('DateOfCancellation', 'GST_Cancellation_Date', 'date'),
  field('StateCode', 'GST_State_Code', 'identifier', 10),
  field('StateJurisdiction', 'State_Jurisdiction', 'text'),
  field('CentreJurisdiction', 'Centre_Jurisdiction', 'text'),
  field('District', 'District', 'text', 100),
  field('Address registeredAddress', 'Registered_Address', 'text'),
  field('companyType', 'Company_Type', 'text', 100),
  field('classOfCompany', 'Company_Class', 'text', 100),
  field('companyCategory', 'Company_Category', 'text', 100),
  field('companySubCategory', 'Company_Sub_Category', 'text', 100),
  field('Listed', 'Listed', 'text', 40),
  field('ROCCode', 'ROC_Code', 'text', 40),
  field('NICCode', 'NIC_Code', 'identifier', 10),
  field('NICDescription', 'NIC_Description', 'text'),
  field('mainDivision', 'Main_Division', 'text', 40),
  field('dateOfIncorporation', 'Incorporation_Date', 'date'),
  field('dateOfLastAGM', 'Last_AGM_Date', 'date'),
  field('dateOfBalanceSheet', 'Balance_Sheet_Date', 'date'),
  field('authorisedCapital', 'Authorised_Capital', 'number'),
  field('paidUpCapital', 'Paid_Up_Capital', 'number'),
  field('DirectorCount', 'Director_Count', 'number'),
  field('DirectorDINs', 'Director_DINs', 'list'),
  field('GSTINs', 'GSTINs', 'list'),
  field('GSTStates', 'GST_States', 'list'),
  field('DINApprovalDate', 'DIN_Approval_Date', 'date'),
  field('directorDisqualified', 'Director_Disqualified', 'text', 40),
  field('Nationality', 'Nationality', 'text', 80),
  field('CompanyCount', 'Company_Count', 'number'),
  field('CompanyCINs', 'Company_CINs', 'list'),
  field('Designations', 'Designations', 'list'),
]

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

const byColumn: ReadonlyMap<string, ManagedField> = new Map(
  managedFields.flatMap((each) => each.columns.map((column) => [column, each] as const)),
)

export function managedFieldOf(column: string): ManagedField | undefined {
  return byColumn.get(column)
}

const typesByKind: Readonly<Record<ManagedField['kind'], readonly string[]>> = {
  text: ['string', 'textarea'],
  list: ['string', 'textarea'],
  identifier: ['string', 'textarea'],
  date: ['date'],
  number: ['double', 'currency', 'int'],
}

/** A field of that name may be the customer's own, made for something else. */
export function isOfKind(managed: ManagedField, { type, lengthMax, allowed }: CrmField): boolean {
  return typesByKind[managed.kind].includes(type) && isLongEnough(managed, lengthMax) && allowed === null
}
