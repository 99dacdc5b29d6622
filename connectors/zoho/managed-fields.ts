/**
 * The fields that Panji keeps on a Lead beside the standard ones, the most useful first: the smallest edition allows ten,
 * and what has no field of its own lies in the Description.
 */
import type { CrmField } from '../contract.ts'
import { isLongEnough, type ManagedKind } from '../managed-value.ts'

export interface ManagedField extends ManagedKind {
  /** Lead columns that fill it; no two of them belong to one kind of lead. */
  readonly columns: readonly string[]
  /** Zoho makes it of the label, with underscores for spaces. */
  readonly name: string
  readonly label: string
  readonly kind: 'text' | 'list' | 'identifier' | 'date' | 'amount' | 'count'
}

const textLength = 255

function field(columns: string, label: string, kind: ManagedField['kind'], length = textLength): ManagedField {
  return { columns: columns.split(' '), name: label.replaceAll(' ', '_'), label, kind, length }
}

export const managedFields: readonly ManagedField[] = [
  field('GSTIN', 'GSTIN', 'identifier', 15),
  field('PAN', 'PAN', 'identifier', 10),
  field('CIN', 'CIN', 'identifier', 21),
  field('DIN', 'DIN', 'identifier', 8),
  field('Status llpStatus DINStatus', 'Registry Status', 'text', 100),
  field('LegalName', 'Legal Name', 'text'),
  field('TradeName', 'Trade Name', 'text'),
  field('HSNCodes', 'HSN Codes', 'list'),
  field('NICCode', 'NIC Code', 'identifier', 10),
  field('DateOfRegistration', 'GST Registration Date', 'date'),
  field('dateOfIncorporation', 'Incorporation Date', 'date'),
  field('paidUpCapital', 'Paid Up Capital', 'amount', 16),
  field('authorisedCapital', 'Authorised Capital', 'amount', 16),
  field('District', 'District', 'text', 100),
  field('DateOfCancellation', 'GST Cancellation Date', 'date'),
  field('SACCodes', 'SAC Codes', 'list'),
  field('TaxpayerType', 'Taxpayer Type', 'text', 100),
  field('ConstitutionBusiness', 'Constitution of Business', 'text', 100),
  field('COREBUSINESS', 'Core Business', 'text'),
  field('BusinessActivities', 'Business Activities', 'list'),
  field('HSNDescriptions', 'HSN Descriptions', 'text'),
  field('SACDescriptions', 'SAC Descriptions', 'text'),
  field('StateCode', 'GST State Code', 'identifier', 10),
  field('StateJurisdiction', 'State Jurisdiction', 'text'),
  field('CentreJurisdiction', 'Centre Jurisdiction', 'text'),
  field('Address registeredAddress', 'Registered Address', 'text'),
  field('companyType', 'Company Type', 'text', 100),
  field('classOfCompany', 'Company Class', 'text', 100),
  field('companyCategory', 'Company Category', 'text', 100),
  field('companySubCategory', 'Company Sub Category', 'text', 100),
  field('Listed', 'Listed', 'text', 40),
  field('ROCCode', 'ROC Code', 'text', 40),
  field('NICDescription', 'NIC Description', 'text'),
  field('mainDivision', 'Main Division', 'text', 40),
  field('dateOfLastAGM', 'Last AGM Date', 'date'),
  field('dateOfBalanceSheet', 'Balance Sheet Date', 'date'),
  field('DirectorCount', 'Director Count', 'count', 9),
  field('DirectorDINs', 'Director DINs', 'list'),
  field('GSTINs', 'GSTINs', 'list'),
  field('GSTStates', 'GST States', 'list'),
  field('DINApprovalDate', 'DIN Approval Date', 'date'),
  field('directorDisqualified', 'Director Disqualified', 'text', 40),
  field('Nationality', 'Nationality', 'text', 80),
  field('CompanyCount', 'Company Count', 'count', 9),
  field('CompanyCINs', 'Company CINs', 'list'),
  field('Designations', 'Designations', 'list'),
]

const byColumn: ReadonlyMap<string, ManagedField> = new Map(
  managedFields.flatMap((each) => each.columns.map((column) => [column, each] as const)),
)

export function managedFieldOf(column: string): ManagedField | undefined {
  return byColumn.get(column)
}

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
