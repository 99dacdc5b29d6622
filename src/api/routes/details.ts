/** Details of one company, GST registration or director. The three share one daily limit. */
import { z } from 'zod'
import { AppError } from '../../errors.ts'
import { readCompanyDetails } from '../../registry/details/company.ts'
import { readDirectorDetails } from '../../registry/details/director.ts'
import { readGstDetails } from '../../registry/details/gst.ts'
import { companyIdFrom, dinFrom, gstinFrom } from '../../registry/identifier-input.ts'
import { unchanged } from '../parameters.ts'
import type { LimitState, Routes } from '../route-context.ts'

const text = z.string().nullable()
const amount = z.number().nullable().describe('INR')
const date = z.string().nullable().describe('YYYY-MM-DD')

const RateLimit = z.object({
  remaining: z.number().nullable().describe('Calls left today; null without a limit'),
  limit: z.number().nullable().describe('Calls per UTC day; null without a limit'),
  reset: z.string().describe('UTC timestamp of the next reset'),
})

const CompanyDetails = z.object({
  CIN: z.string(),
  companyName: z.string(),
  companyType: z.string(),
  classOfCompany: text,
  companyCategory: text,
  llpStatus: text,
  dateOfIncorporation: date,
  authorisedCapital: amount,
  paidUpCapital: amount,
  registeredAddress: text,
  City: text,
  State: text,
  Pincode: text,
  email: text,
  NICCode: z.number().nullable().describe('Primary NIC code as a number: 01110 is 1110'),
  NICDescription: text,
})

const GstDetails = z.object({
  GSTIN: z.string(),
  LegalName: text,
  TradeName: text,
  Status: text,
  TaxpayerType: text,
  ConstitutionBusiness: text,
  dateOfRegistration: date,
  state: text,
  Address: text,
  Pincode: text,
  COREBUSINESS: text,
  BusinessActivities: z.array(z.string()),
  hsnCodes: z.array(z.string()),
  sacCodes: z.array(z.string()),
})

const DirectorDetails = z.object({
  DIN: z.string(),
  Name: z.string(),
  Nationality: text,
  Address: text,
  companies: z.array(
    z.object({
      CIN: z.string(),
      companyName: text.describe('null for a company that the company register does not hold'),
      Designation: z.string(),
      dateOfAppointment: date,
      dateOfCessation: date,
    }),
  ),
})

const repliesWith = <T extends z.ZodType>(data: T) => ({
  200: z.object({ data, rate_limit: RateLimit }),
  304: unchanged,
})
const parameter = (example: string, description: string) =>
  z
    .string()
    .min(1, 'must not be empty')
    .meta({ description, examples: [example] })

export const detailsRoutes: Routes = async (app, { db }) => {
  app.get(
    '/api/company/details',
    {
      config: { limit: 'details', etag: true },
      schema: {
        tags: ['Details'],
        summary: 'Details of one company or LLP',
        description: 'Takes a CIN, LLPIN, FLLPIN or FCRN in any case. Counts as one call of the daily details limit.',
        querystring: z.object({ cin: parameter('U85100GA2022PTC015629', 'CIN, LLPIN, FLLPIN or FCRN') }),
        response: repliesWith(CompanyDetails),
      },
    },
    async (request) => {
      const cin = companyIdFrom(request.query.cin)
      const data = found(await readCompanyDetails(db, cin), `company ${cin}`)
      return { data, rate_limit: rateLimitOf(request.limitState) }
    },
  )

  app.get(
    '/api/gst/details',
    {
      config: { limit: 'details', etag: true },
      schema: {
        tags: ['Details'],
        summary: 'Details of one GST registration',
        description: 'The check digit is verified first. Counts as one call of the daily details limit.',
        querystring: z.object({ gstin: parameter('27AAACR5055K1Z7', 'GSTIN, 15 characters') }),
        response: repliesWith(GstDetails),
      },
    },
    async (request) => {
      const gstin = gstinFrom(request.query.gstin)
      const details = found(await readGstDetails(db, gstin), `GST registration ${gstin}`)
      const lists = {
        BusinessActivities: [...details.BusinessActivities],
        hsnCodes: [...details.hsnCodes],
        sacCodes: [...details.sacCodes],
      }
      return { data: { ...details, ...lists }, rate_limit: rateLimitOf(request.limitState) }
    },
  )

  app.get(
    '/api/company/director-details',
    {
      config: { limit: 'details', etag: true },
      schema: {
        tags: ['Details'],
        summary: 'Details of one director with the companies',
        description: 'Leading zeros may be left out. Counts as one call of the daily details limit.',
        querystring: z.object({ din: parameter('00012345', 'DIN, eight digits') }),
        response: repliesWith(DirectorDetails),
      },
    },
    async (request) => {
      const din = dinFrom(request.query.din)
      const details = found(await readDirectorDetails(db, din), `director ${din}`)
      return { data: { ...details, companies: [...details.companies] }, rate_limit: rateLimitOf(request.limitState) }
    },
  )
}

function found<T>(record: T | undefined, what: string): T {
  if (record === undefined) throw new AppError('NOT_FOUND', `The register holds no ${what}.`)
  return record
}

function rateLimitOf(state: LimitState | null): z.infer<typeof RateLimit> {
  if (!state) throw new Error('this route runs without the limit hook')
  return { remaining: state.remaining, limit: state.limit, reset: state.resetAt.toISOString() }
}
