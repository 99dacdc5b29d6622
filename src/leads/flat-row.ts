/**
 * A record of the registers goes in, one row of scalars in the columns of `config/lead-columns.ts` comes out.
 *
 * Decisions that the specification leaves open:
 * - CRMs demand Last_Name. A director's is the surname; a company's is the company; a registration's is the
 *   proprietor (the legal name of a proprietorship) and else the business. Names are not shortened: the length of a
 *   CRM's field is the connector's business.
 * - Cells that hold a list can always be split again: a separator inside an element is replaced, `;` by `,` and `|` by
 *   `/`. Lists that belong together (CINs, names, designations; codes, descriptions) have an element each for every
 *   place, empty where unknown. No element at all is null.
 */
import { type LeadRow, leadColumns } from '../../config/lead-columns.ts'
import type { CompanyLead, DirectorLead, GstLead, LeadRecord, Office } from './lead-record.ts'

type Scalar = string | number | null
type Element = string | null

/** One cell out of many elements, splittable at `;`. */
export function joinList(elements: readonly Element[]): string | null {
  return elements.length === 0 ? null : elements.map((element) => (element ?? '').replaceAll(';', ',')).join(';')
}

/** One cell out of many sentences, splittable at `|`. */
export function joinDescriptions(elements: readonly Element[]): string | null {
  return elements.length === 0 ? null : elements.map((element) => (element ?? '').replaceAll('|', '/')).join('|')
}

export function flatRow(lead: LeadRecord, leadSource: string): LeadRow {
  const cells = cellsOf(lead, leadSource)
  return Object.fromEntries(leadColumns[lead.type].map(({ name }) => [name, cells[name] ?? null]))
}

/** The offices a person holds today, one per company. */
export function presentOffices(companies: readonly Office[]): Office[] {
  const seen = new Set<string>()
  return companies.filter(({ CIN, dateOfCessation }) => {
    if (dateOfCessation !== null || seen.has(CIN)) return false
    seen.add(CIN)
    return true
  })
}

function cellsOf(lead: LeadRecord, leadSource: string): Readonly<Record<string, Scalar>> {
  switch (lead.type) {
    case 'company':
      return companyCells(lead, leadSource)
    case 'gst':
      return gstCells(lead, leadSource)
    case 'director':
      return directorCells(lead, leadSource)
  }
}

function companyCells({ record }: CompanyLead, leadSource: string): Record<string, Scalar> {
  const { company, directors, gst, contact } = record
  return {
    ...company,
    Last_Name: company.companyName,
    Company: company.companyName,
    Email: contact.email,
    Mobile: contact.mobile,
    Phone: contact.phone,
    Website: contact.website,
    Street: company.registeredAddress,
    Zip_Code: company.Pincode,
    Country: 'India',
    Lead_Source: leadSource,
    DirectorCount: directors.length,
    DirectorDINs: joinList(directors.map(({ DIN }) => DIN)),
    DirectorNames: joinList(directors.map(({ Name }) => Name)),
    GSTINs: joinList(gst.map(({ GSTIN }) => GSTIN)),
    GSTStates: joinList(gst.map(({ state }) => state)),
  }
}

function gstCells({ record }: GstLead, leadSource: string): Record<string, Scalar> {
  const { contact } = record
  const [{ BusinessActivities, hsnCodes, hsnDescriptions, sacCodes, sacDescriptions, ...gst }] = record.gst
  const business = gst.TradeName ?? gst.LegalName ?? gst.GSTIN
  const proprietor = /proprietor/i.test(gst.ConstitutionBusiness ?? '') ? gst.LegalName : null
  return {
    ...gst,
    Last_Name: proprietor ?? business,
    Company: business,
    Email: contact.email,
    Mobile: contact.mobile,
    Phone: contact.phone,
    Street: gst.Address,
    City: gst.District,
    State: gst.state,
    Zip_Code: gst.Pincode,
    Country: 'India',
    Lead_Source: leadSource,
    DateOfRegistration: gst.dateOfRegistration,
    DateOfCancellation: gst.dateOfCancellation,
    BusinessActivities: joinList(BusinessActivities),
    HSNCodes: joinList(hsnCodes),
    HSNDescriptions: joinDescriptions(hsnDescriptions),
    SACCodes: joinList(sacCodes),
    SACDescriptions: joinDescriptions(sacDescriptions),
  }
}

function directorCells({ record }: DirectorLead, leadSource: string): Record<string, Scalar> {
  const { contact } = record
  const [{ companies, ...director }] = record.directors
  const offices = presentOffices(companies)
  return {
    ...director,
    Last_Name: director.lastName ?? director.Name,
    First_Name: director.firstName,
    Middle_Name: director.middleName,
    Full_Name: director.Name,
    Email: contact.email,
    Mobile: contact.mobile ?? contact.phone,
    Street: director.Address,
    Zip_Code: director.Pincode,
    Country: director.Country ?? 'India',
    Lead_Source: leadSource,
    CompanyCount: offices.length,
    CompanyCINs: joinList(offices.map(({ CIN }) => CIN)),
    CompanyNames: joinList(offices.map(({ companyName }) => companyName)),
    Designations: joinList(offices.map(({ Designation }) => Designation)),
  }
}
