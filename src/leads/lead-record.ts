/**
 * What the registers say about an ordered item, in the field names of the API: the source of its flat row, its nested
 * form and its export. The three .sql files beside this one produce it; a lead freezes it.
 */
export type CompanyFields = Readonly<{
  CIN: string
  companyName: string
  companyType: string
  classOfCompany: string | null
  companyCategory: string | null
  companySubCategory: string | null
  llpStatus: string | null
  Listed: string | null
  dateOfIncorporation: string | null
  authorisedCapital: number | null
  paidUpCapital: number | null
  ROCCode: string | null
  registeredAddress: string | null
  City: string | null
  District: string | null
  State: string | null
  Pincode: string | null
  email: string | null
  NICCode: number | null
  NICDescription: string | null
  mainDivision: string | null
  mainDivisionDescription: string | null
  dateOfLastAGM: string | null
  dateOfBalanceSheet: string | null
}>

export type GstFields = Readonly<{
  GSTIN: string
  LegalName: string | null
  TradeName: string | null
  Status: string | null
  TaxpayerType: string | null
  ConstitutionBusiness: string | null
  dateOfRegistration: string | null
  dateOfCancellation: string | null
  PAN: string | null
  Address: string | null
  City: string | null
  District: string | null
  StateCode: string | null
  state: string | null
  Pincode: string | null
  COREBUSINESS: string | null
  BusinessActivities: readonly string[]
  hsnCodes: readonly string[]
  /** One per code, empty where the reference list lacks the code. */
  hsnDescriptions: readonly string[]
  sacCodes: readonly string[]
  sacDescriptions: readonly string[]
  StateJurisdiction: string | null
  CentreJurisdiction: string | null
}>

export type DirectorFields = Readonly<{
  DIN: string
  Name: string
  firstName: string | null
  middleName: string | null
  lastName: string | null
  DINStatus: string | null
  DINApprovalDate: string | null
  directorDisqualified: string | null
  Nationality: string | null
  Gender: string | null
  Address: string | null
  City: string | null
  District: string | null
  State: string | null
  Pincode: string | null
  Country: string | null
  companies: readonly Office[]
}>

export type Office = Readonly<{
  CIN: string
  companyName: string | null
  Designation: string
  dateOfAppointment: string | null
  dateOfCessation: string | null
}>

/** A director as seen from the company: no address, that is the director's own lead. */
export type BoardMember = Readonly<{
  DIN: string
  Name: string | null
  Designation: string
  dateOfAppointment: string | null
}>

export type LinkedGst = Pick<GstFields, 'GSTIN' | 'LegalName' | 'TradeName' | 'Status' | 'state'>

export type Contact = Readonly<{
  email: string | null
  mobile: string | null
  phone: string | null
  website: string | null
  /** All of them, the best of each kind first. */
  ways: readonly ContactWay[]
}>

/** One address or number with where it was found, and what its owner asked for. */
export type ContactWay = Readonly<{
  kind: 'email' | 'mobile' | 'landline'
  value: string
  /** Who collected it. */
  source: string | null
  /** Name and content of the published file; null once its run is forgotten. */
  file: string | null
  sha256: string | null
  /** Of the file. */
  day: string
  do_not_contact: boolean
  preferences: readonly Readonly<{ preference: string; list: string; day: string }>[]
}>

interface Shared {
  readonly itemId: string
  readonly position: number
  readonly identifier: string
  /** The ingest run that last changed the record: the lead's provenance. */
  readonly registryRunId: number
}

interface Lead<T extends string, R> extends Shared {
  readonly type: T
  readonly record: R & { readonly contact: Contact }
}

export type CompanyLead = Lead<
  'company',
  {
    readonly company: CompanyFields
    readonly directors: readonly BoardMember[]
    readonly gst: readonly LinkedGst[]
  }
>
export type GstLead = Lead<
  'gst',
  { readonly company: null; readonly directors: readonly never[]; readonly gst: readonly [GstFields] }
>
export type DirectorLead = Lead<
  'director',
  { readonly company: null; readonly directors: readonly [DirectorFields]; readonly gst: readonly never[] }
>
export type LeadRecord = CompanyLead | GstLead | DirectorLead
