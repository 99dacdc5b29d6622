/**
 * Flattens a record of the registers to one row with the columns of `config/lead-columns.ts`.
 *
 * Decisions that the specification leaves open: - CRMs require Last_Name. It is the last name of the lead's person
 * (see person.ts), or the company or business if there is none. Names are not shortened: the length of a CRM's field
 * is the connector's concern. - Street is the address without what has columns of its own (street.ts). - Cells with a
 * list can always be split again: a separator inside an element is replaced, `;` by `,` and `|` by `/`. Parallel
 * lists (CINs, names, designations; codes, descriptions) have an element at every position, empty if unknown. An
 * empty list is null.
 */
import { shownOn } from '../../config/fields/shown.ts'
import { type LeadRow, leadColumns } from '../../config/lead-columns.ts'
import type { EntityType } from '../domain/identity.ts'
import type { CompanyLead, DirectorLead, GstLead, LeadRecord, Office } from './lead-record.ts'
import { type Person, personOf } from './person.ts'
import { streetOf } from './street.ts'
import { visibleRecord } from './visible-record.ts'

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

export function flatRow(found: LeadRecord, leadSource: string): LeadRow {
  const lead = { ...found, record: visibleRecord(found.record) } as LeadRecord
  const cells: Readonly<Record<string, Scalar>> = { ...cellsOf(lead, leadSource), Street: streetOfLead(found) }
  return Object.fromEntries(
    leadColumns[lead.type].map(({ name, kind }) => {
      const cell = cells[name] ?? null
      return [name, kind === 'text' && cell === '' ? null : cell]
    }),
  )
}

/** From the address as the register writes it, in which runs of blanks separate lines. */
function streetOfLead({ type, record }: LeadRecord): string | null {
  switch (type) {
    case 'company': {
      const { registeredAddress, City, District, State, Pincode } = record.company
      return streetOf(registeredAddress, { towns: [City, District], state: State, pincode: Pincode })
    }
    case 'gst': {
      const [{ Address, District, state, Pincode }] = record.gst
      return streetOf(Address, { towns: [District], state, pincode: Pincode })
    }
    case 'director': {
      const [{ Address, City, District, State, Pincode }] = record.directors
      return streetOf(Address, { towns: [City, District], state: State, pincode: Pincode })
    }
  }
}

/** The current offices of a person, one per company. */
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
      return companyCells(lead, personOf(lead), leadSource)
    case 'gst':
      return gstCells(lead, personOf(lead), leadSource)
    case 'director':
      return directorCells(lead, personOf(lead), leadSource)
  }
}

/** The register's fields, under the names of the row. */
function fieldCells(
  type: EntityType,
  fields: Readonly<Record<string, Scalar | readonly string[]>>,
): Record<string, Scalar> {
  return Object.fromEntries(
    shownOn(type, 'lead').map(({ name, definition }) => {
      const value = fields[name] ?? null
      return [definition.as?.row ?? name, typeof value === 'object' && value !== null ? joinList(value) : value]
    }),
  )
}

function companyCells({ record }: CompanyLead, person: Person | null, leadSource: string): Record<string, Scalar> {
  const { company, directors, gst, contact } = record
  return {
    ...fieldCells('company', company),
    Last_Name: person?.last ?? (company.companyName || company.CIN),
    Email: contact.email,
    Mobile: contact.mobile,
    Phone: contact.phone,
    Website: contact.website,
    Country: 'India',
    Lead_Source: leadSource,
    DirectorCount: directors.length,
    DirectorDINs: joinList(directors.map(({ DIN }) => DIN)),
    DirectorNames: joinList(directors.map(({ Name }) => Name)),
    GSTINs: joinList(gst.map(({ GSTIN }) => GSTIN)),
    GSTStates: joinList(gst.map(({ state }) => state)),
  }
}

function gstCells({ record }: GstLead, person: Person | null, leadSource: string): Record<string, Scalar> {
  const { contact } = record
  const [{ hsnDescriptions, sacDescriptions, ...gst }] = record.gst
  const business = gst.TradeName || gst.LegalName || gst.GSTIN
  return {
    ...fieldCells('gst', gst),
    Last_Name: person?.last ?? business,
    Company: business,
    Email: contact.email,
    Mobile: contact.mobile,
    Phone: contact.phone,
    City: gst.District,
    Country: 'India',
    Lead_Source: leadSource,
    HSNDescriptions: joinDescriptions(hsnDescriptions),
    SACDescriptions: joinDescriptions(sacDescriptions),
  }
}

function directorCells({ record }: DirectorLead, person: Person | null, leadSource: string): Record<string, Scalar> {
  const { contact } = record
  const [{ companies, ...director }] = record.directors
  const offices = presentOffices(companies)
  return {
    ...fieldCells('director', director),
    Last_Name: person?.last ?? director.DIN,
    First_Name: person?.first ?? null,
    Middle_Name: person?.middle ?? null,
    Email: contact.email,
    Mobile: contact.mobile ?? contact.phone,
    Country: director.Country || 'India',
    Lead_Source: leadSource,
    CompanyCount: offices.length,
    CompanyCINs: joinList(offices.map(({ CIN }) => CIN)),
    CompanyNames: joinList(offices.map(({ companyName }) => companyName)),
    Designations: joinList(offices.map(({ Designation }) => Designation)),
  }
}
