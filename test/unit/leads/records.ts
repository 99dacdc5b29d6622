/** Arbitrary register records, with the characters that tempt separators and spreadsheets. */
import fc from 'fast-check'
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

export const companyLead: fc.Arbitrary<CompanyLead> = fc.record({
  ...shared,
  type: fc.constant('company' as const),
  record: fc.record({
    company: fc.record({
      CIN: id,
      companyName: text,
      companyType: text,
      classOfCompany: maybe,
      companyCategory: maybe,
      companySubCategory: maybe,
      llpStatus: maybe,
      Listed: maybe,
      dateOfIncorporation: maybe,
      authorisedCapital: maybeNumber,
      paidUpCapital: maybeNumber,
      ROCCode: maybe,
      registeredAddress: maybe,
      City: maybe,
      District: maybe,
      State: maybe,
      Pincode: maybe,
      email: maybe,
      NICCode: maybeNumber,
      NICDescription: maybe,
      mainDivision: maybe,
      mainDivisionDescription: maybe,
      dateOfLastAGM: maybe,
      dateOfBalanceSheet: maybe,
    }),
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
        GSTIN: id,
        LegalName: maybe,
        TradeName: maybe,
        Status: maybe,
        TaxpayerType: maybe,
        ConstitutionBusiness: fc.option(fc.constantFrom('Proprietorship', 'Partnership', 'Private Limited Company')),
        dateOfRegistration: maybe,
        dateOfCancellation: maybe,
        PAN: maybe,
        Address: maybe,
        City: maybe,
        District: maybe,
        StateCode: maybe,
        state: maybe,
        Pincode: maybe,
        COREBUSINESS: maybe,
        BusinessActivities: texts,
        hsnCodes: texts,
        hsnDescriptions: texts,
        sacCodes: texts,
        sacDescriptions: texts,
        StateJurisdiction: maybe,
        CentreJurisdiction: maybe,
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
        DIN: id,
        Name: text,
        firstName: maybe,
        middleName: maybe,
        lastName: maybe,
        DINStatus: maybe,
        DINApprovalDate: maybe,
        directorDisqualified: maybe,
        Nationality: maybe,
        Gender: maybe,
        Address: maybe,
        City: maybe,
        District: maybe,
        State: maybe,
        Pincode: maybe,
        Country: maybe,
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
