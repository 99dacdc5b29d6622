/**
 * The register's record of an ordered item, in the field names of the API: the source of its flat row, its nested
 * form and its export. The three .sql files in this folder produce it, with the columns that `config/fields` assigns
 * to a lead; a lead freezes it.
 */
import type { Answer } from '../../config/fields/answer.ts'

export type CompanyFields = Answer<'company', 'lead'>

export type GstFields = Answer<'gst', 'lead'> &
  Readonly<{
    /** One per code, empty if the reference list lacks the code. */
    hsnDescriptions: readonly string[]
    sacDescriptions: readonly string[]
  }>

export type DirectorFields = Answer<'director', 'lead'> & Readonly<{ companies: readonly Office[] }>

export type Office = Readonly<{
  CIN: string
  companyName: string | null
  Designation: string
  dateOfAppointment: string | null
  dateOfCessation: string | null
}>

/** A director within a company's lead: without address, which only the director's own lead has. */
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
  /** All contacts, the best of each kind first. */
  ways: readonly ContactWay[]
}>

/** An address or number with its source, and the owner's preference. */
export type ContactWay = Readonly<{
  kind: 'email' | 'mobile' | 'landline'
  value: string
  /** Who collected it. */
  source: string | null
  /** Name and content of the published file; null once its run is deleted. */
  file: string | null
  sha256: string | null
  /** Day of the file. */
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
