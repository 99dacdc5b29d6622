/**
 * The columns of a flat lead row, in order. Declared here once: the API, the export and the CRM mappings read them.
 * They are filled for paid orders only; others show what src/leads/unpaid-leads.ts says.
 */
import type { EntityType } from '../src/domain/identity.ts'

export type LeadColumnKind = 'text' | 'number' | 'date' | 'list' | 'descriptions'

export interface LeadColumn {
  readonly name: string
  /** `list` cells are joined with `;`, `descriptions` with `|`; dates are YYYY-MM-DD. */
  readonly kind: LeadColumnKind
}

/** A flat lead row: a scalar per column; an unknown value is null. */
export type LeadRow = Readonly<Record<string, string | number | null>>

const kinds: Readonly<Record<string, LeadColumnKind>> = {
  DateOfRegistration: 'date',
  DateOfCancellation: 'date',
  dateOfIncorporation: 'date',
  dateOfLastAGM: 'date',
  dateOfBalanceSheet: 'date',
  DINApprovalDate: 'date',
  authorisedCapital: 'number',
  paidUpCapital: 'number',
  NICCode: 'number',
  DirectorCount: 'number',
  CompanyCount: 'number',
  BusinessActivities: 'list',
  HSNCodes: 'list',
  SACCodes: 'list',
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

const columns = (names: string): readonly LeadColumn[] =>
  names
    .trim()
    .split(/[\s,]+/)
    .map((name) => ({ name, kind: kinds[name] ?? 'text' }))

export const leadColumns: Readonly<Record<EntityType, readonly LeadColumn[]>> = {
  gst: columns(`
    Last_Name, Company, Email, Mobile, Phone, Street, City, State, Zip_Code, Country, Lead_Source, GSTIN, LegalName,
    TradeName, Status, TaxpayerType, ConstitutionBusiness, DateOfRegistration, DateOfCancellation, COREBUSINESS,
    BusinessActivities, HSNCodes, HSNDescriptions, SACCodes, SACDescriptions, PAN, District, StateCode,
    StateJurisdiction, CentreJurisdiction, Address`),
  company: columns(`
    Last_Name, Company, Email, Mobile, Phone, Website, Street, City, District, State, Zip_Code, Country, Lead_Source,
    CIN, companyType, classOfCompany, companyCategory, companySubCategory, llpStatus, Listed, dateOfIncorporation,
    authorisedCapital, paidUpCapital, ROCCode, NICCode, NICDescription, mainDivision, mainDivisionDescription,
    registeredAddress, dateOfLastAGM, dateOfBalanceSheet, DirectorCount, DirectorDINs, DirectorNames, GSTINs, GSTStates`),
  director: columns(`
    Last_Name, First_Name, Middle_Name, Full_Name, Email, Mobile, Street, City, District, State, Zip_Code, Country,
    Lead_Source, DIN, DINStatus, DINApprovalDate, directorDisqualified, Nationality, Gender, CompanyCount, CompanyCINs,
    CompanyNames, Designations`),
}
