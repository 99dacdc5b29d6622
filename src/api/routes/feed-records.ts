/** The records of the feeds, in the casing of the specification. A value that the register does not know is null. */
import { z } from 'zod'

const text = z.string().nullable()
const timestamp = z.string().describe('Timestamp without zone, 2024-05-01T00:00:00.')

export const CompanyRecord = z
  .object({
    CIN: z.string(),
    company: z.string(),
    dateOfIncorporation: timestamp,
    companyType: text,
    classOfCompany: text,
    companyCategory: text,
    mainDivision: text,
    mainDivisionDescription: text,
    city: text,
    district: text,
    state: text,
    pincode: text,
  })
  .meta({ id: 'FeedCompany' })

export const DirectorRecord = z
  .object({
    DIN: z.string(),
    firstName: text,
    middleName: text,
    lastName: text,
    fullName: z.string(),
    DINApprovalDate: timestamp,
    DINStatus: text,
    directorDisqualified: text,
    district: text,
    state: text,
    postalCode: text,
    country: text,
  })
  .meta({ id: 'FeedDirector' })

export const GstRecord = z
  .object({
    GSTIN: z.string(),
    TradeName: text,
    LegalName: text,
    Status: text,
    TaxpayerType: text,
    ConstitutionBusiness: text,
    DateOfRegistration: timestamp,
    COREBUSINESS: text,
    BusinessActivities: z.array(z.string()),
    city: text,
    district: text,
    state: text,
    pincode: text,
  })
  .meta({ id: 'FeedGst' })
