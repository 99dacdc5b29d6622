/**
 * The columns for which Panji creates fields of its own in a CRM, so that people can filter and report by register
 * data: their labels, kinds and lengths. The most useful come first, for CRMs that allow few. Each connector defines
 * the fields' names and types.
 */
import type { ManagedKind } from './managed-value.ts'

export interface ManagedColumn extends ManagedKind {
  /** Lead columns that fill it; no two of them occur in one kind of lead. */
  readonly columns: readonly string[]
  readonly label: string
}

const textLength = 255

function kept(columns: string, label: string, kind: ManagedColumn['kind'], length = textLength): ManagedColumn {
  return { columns: columns.split(' '), label, kind, length }
}

export const managedColumns: readonly ManagedColumn[] = [
  kept('GSTIN', 'GSTIN', 'identifier', 15),
  kept('PAN', 'PAN', 'identifier', 10),
  kept('CIN', 'CIN', 'identifier', 21),
  kept('DIN', 'DIN', 'identifier', 8),
  kept('Status llpStatus DINStatus', 'Registry Status', 'text', 100),
  kept('LegalName', 'Legal Name', 'text'),
  kept('TradeName', 'Trade Name', 'text'),
  kept('HSNCodes', 'HSN Codes', 'list'),
  kept('NICCode', 'NIC Code', 'identifier', 10),
  kept('DateOfRegistration', 'GST Registration Date', 'date'),
  kept('dateOfIncorporation', 'Incorporation Date', 'date'),
  kept('paidUpCapital', 'Paid Up Capital', 'amount', 16),
  kept('authorisedCapital', 'Authorised Capital', 'amount', 16),
  kept('District', 'District', 'text', 100),
  kept('DateOfCancellation', 'GST Cancellation Date', 'date'),
  kept('SACCodes', 'SAC Codes', 'list'),
  kept('TaxpayerType', 'Taxpayer Type', 'text', 100),
  kept('ConstitutionBusiness', 'Constitution of Business', 'text', 100),
  kept('COREBUSINESS', 'Core Business', 'text'),
  kept('BusinessActivities', 'Business Activities', 'list'),
  kept('HSNDescriptions', 'HSN Descriptions', 'text'),
  kept('SACDescriptions', 'SAC Descriptions', 'text'),
  kept('StateCode', 'GST State Code', 'identifier', 10),
  kept('StateJurisdiction', 'State Jurisdiction', 'text'),
  kept('CentreJurisdiction', 'Centre Jurisdiction', 'text'),
  kept('Address registeredAddress', 'Registered Address', 'text'),
  kept('companyType', 'Company Type', 'text', 100),
  kept('classOfCompany', 'Company Class', 'text', 100),
  kept('companyCategory', 'Company Category', 'text', 100),
  kept('companySubCategory', 'Company Sub Category', 'text', 100),
  kept('Listed', 'Listed', 'text', 40),
  kept('ROCCode', 'ROC Code', 'text', 40),
  kept('NICDescription', 'NIC Description', 'text'),
  kept('mainDivision', 'Main Division', 'text', 40),
  kept('dateOfLastAGM', 'Last AGM Date', 'date'),
  kept('dateOfBalanceSheet', 'Balance Sheet Date', 'date'),
  kept('DirectorCount', 'Director Count', 'count', 9),
  kept('DirectorDINs', 'Director DINs', 'list'),
  kept('GSTINs', 'GSTINs', 'list'),
  kept('GSTStates', 'GST States', 'list'),
  kept('DINApprovalDate', 'DIN Approval Date', 'date'),
  kept('directorDisqualified', 'Director Disqualified', 'text', 40),
  kept('Nationality', 'Nationality', 'text', 80),
  kept('CompanyCount', 'Company Count', 'count', 9),
  kept('CompanyCINs', 'Company CINs', 'list'),
  kept('Designations', 'Designations', 'list'),
]

/** @returns a lookup of the field that a lead's column fills. */
export function byColumn<Field extends ManagedColumn>(fields: readonly Field[]): (column: string) => Field | undefined {
  const known = new Map(fields.flatMap((each) => each.columns.map((column) => [column, each] as const)))
  return (column) => known.get(column)
}
