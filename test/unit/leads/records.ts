/** Arbitrary register records, with the characters that tempt separators and spreadsheets. */
import fc from 'fast-check'
import type { Answer } from '../../../config/fields/answer.ts'
import { shownOn } from '../../../config/fields/shown.ts'
import type { EntityType } from '../../../src/domain/identity.ts'
import type { CompanyLead, DirectorLead, GstLead } from '../../../src/leads/lead-record.ts'

const text = fc.string({
  unit: fc.constantFrom('a', 'Z', ' ', ';', '|', '=', '+', '-', '@', ',', '"', '\n', 'é'),
  maxLength: 12,
})
const id = fc.stringMatching(/^[A-Z0-9]{1,8}$/)
const maybe = fc.option(text)
const maybeNumber = fc.option(fc.integer({ min: 0, max: 99_999 }))
const texts = fc.array(text, { maxLength: 4 })
const contact = fc.record({ email: maybe, mobile: maybe, phone: maybe, website: maybe, ways: fc.constant([]) })
const shared = { itemId: fc.uuid(), position: fc.nat(), identifier: id, registryRunId: fc.nat() }

/** An arbitrary value for every column that a lead shows. */
function fieldsOf<T extends EntityType>(type: T) {
  const values = shownOn(type, 'lead').map(({ name, definition: { kind, isFilled } }) => {
    if (kind === 'identifier') return [name, id]
    if (kind === 'list') return [name, texts]
    if (kind === 'amount' || kind === 'integer') return [name, maybeNumber]
    return [name, isFilled ? text : maybe]
  })
  return Object.fromEntries(values) as { [N in keyof Answer<T, 'lead'>]: fc.Arbitrary<Answer<T, 'lead'>[N]> }
}

export const companyLead: fc.Arbitrary<CompanyLead> = fc.record({
  ...shared,
  type: fc.constant('company' as const),
  record: fc.record({
    company: fc.record(fieldsOf('company')),
    directors: fc.array(fc.record({ DIN: text, Name: maybe, Designation: text, dateOfAppointment: maybe }), {
      maxLength: 4,
    }),
    gst: fc.array(fc.record({ GSTIN: text, LegalName: maybe, TradeName: maybe, Status: maybe, state: maybe }), {
      maxLength: 4,
    }),
    contact,
  }),
})

export const gstLead: fc.Arbitrary<GstLead> = fc.record({
  ...shared,
  type: fc.constant('gst' as const),
  record: fc.record({
    company: fc.constant(null),
    directors: fc.constant([]),
    gst: fc.tuple(
      fc.record({
        ...fieldsOf('gst'),
        ConstitutionBusiness: fc.option(fc.constantFrom('Proprietorship', 'Partnership', 'Private Limited Company')),
        hsnDescriptions: texts,
        sacDescriptions: texts,
      }),
    ),
    contact,
  }),
})

export const directorLead: fc.Arbitrary<DirectorLead> = fc.record({
  ...shared,
  type: fc.constant('director' as const),
  record: fc.record({
    company: fc.constant(null),
    gst: fc.constant([]),
    directors: fc.tuple(
      fc.record({
        ...fieldsOf('director'),
        companies: fc.array(
          fc.record({
            CIN: fc.constantFrom('A', 'B', 'C'),
            companyName: maybe,
            Designation: text,
            dateOfAppointment: maybe,
            dateOfCessation: fc.option(fc.constant('2024-01-01')),
          }),
          { maxLength: 5 },
        ),
      }),
    ),
    contact,
  }),
})

export const anyLead = fc.oneof(companyLead, gstLead, directorLead)
