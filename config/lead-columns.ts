/**
 * The columns of a flat lead row, in order: those of the register are declared in `config/fields`, composed ones here.
 * Used by the API, the export and the CRM mappings. They are filled for paid orders only; for others see
 * src/leads/unpaid-leads.ts.
 */
import type { EntityType } from '../src/domain/identity.ts'
import type { Kind } from './fields/column.ts'
import { cellsOfLead } from './fields/shown.ts'

export type LeadColumnKind = 'text' | 'number' | 'date' | 'list' | 'descriptions'

export interface LeadColumn {
  readonly name: string
  /** `list` cells are joined with `;`, `descriptions` with `|`; dates are YYYY-MM-DD. */
  readonly kind: LeadColumnKind
}

/** A flat lead row: a scalar per column; an unknown value is null. */
export type LeadRow = Readonly<Record<string, string | number | null>>

/**
 * Kinds of columns composed of several fields or from other registers; all others are `text` or declared in
 * `config/fields`.
 */
const kinds: Readonly<Record<string, LeadColumnKind>> = {
  DirectorCount: 'number',
  CompanyCount: 'number',
  DirectorDINs: 'list',
  DirectorNames: 'list',
  GSTINs: 'list',
  GSTStates: 'list',
  CompanyCINs: 'list',
  CompanyNames: 'list',
  Designations: 'list',
  HSNDescriptions: 'descriptions',
  SACDescriptions: 'descriptions',
}

const kindOfField: Readonly<Partial<Record<Kind, LeadColumnKind>>> = {
  amount: 'number',
  integer: 'number',
  date: 'date',
  list: 'list',
}

const named: Readonly<Record<EntityType, string>> = {
  gst: `Last_Name, Company, Email, Mobile, Phone, Street, City, State, Zip_Code, Country, Lead_Source, GSTIN, LegalName,
    TradeName, Status, TaxpayerType, ConstitutionBusiness, DateOfRegistration, DateOfCancellation, COREBUSINESS,
    BusinessActivities, HSNCodes, HSNDescriptions, SACCodes, SACDescriptions, PAN, District, StateCode,
    StateJurisdiction, CentreJurisdiction, Address`,
  company: `Last_Name, Company, Email, Mobile, Phone, Website, Street, City, District, State, Zip_Code, Country, Lead_Source,
    CIN, companyType, classOfCompany, companyCategory, companySubCategory, llpStatus, Listed, dateOfIncorporation,
    authorisedCapital, paidUpCapital, ROCCode, NICCode, NICDescription, mainDivision, mainDivisionDescription,
    registeredAddress, dateOfLastAGM, dateOfBalanceSheet, DirectorCount, DirectorDINs, DirectorNames, GSTINs, GSTStates`,
  director: `Last_Name, First_Name, Middle_Name, Full_Name, Email, Mobile, Street, City, District, State, Zip_Code, Country,
    Lead_Source, DIN, DINStatus, DINApprovalDate, directorDisqualified, Nationality, Gender, CompanyCount, CompanyCINs,
    CompanyNames, Designations`,
}

/** The columns named above, then the lead's remaining fields. */
function columnsOf(type: EntityType): readonly LeadColumn[] {
  const kindByName = new Map(
    cellsOfLead(type).map(({ name, definition }) => [name, kindOfField[definition.kind] ?? 'text']),
  )
  return [...new Set([...named[type].split(/,\s+/), ...kindByName.keys()])].map((name) => ({
    name,
    kind: kinds[name] ?? kindByName.get(name) ?? 'text',
  }))
}

/** Contact details: what a credit buys, and no search shows. */
export const contactColumns: ReadonlySet<string> = new Set(['Email', 'Mobile', 'Phone', 'Website'])

export const leadColumns: Readonly<Record<EntityType, readonly LeadColumn[]>> = {
  gst: columnsOf('gst'),
  company: columnsOf('company'),
  director: columnsOf('director'),
}
