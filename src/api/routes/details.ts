/** Details of one company, GST registration or director. The three share one daily limit. */
import { z } from 'zod'
import type { EntityType } from '../../domain/identity.ts'
import { createCompanyDetailsReader } from '../../registry/details/company.ts'
import { createDirectorDetailsReader } from '../../registry/details/director.ts'
import { createGstDetailsReader } from '../../registry/details/gst.ts'
import { readOrigin } from '../../registry/history/lineage.ts'
import { readCompanyAsOf, readDirectorAsOf, readGstAsOf } from '../../registry/history/read-as-of.ts'
import { companyIdFrom, dinFrom, gstinFrom } from '../../registry/identifier-input.ts'
import { recordErrors } from '../documented-errors.ts'
import { exampleRecords } from '../example-records.ts'
import { day, timestamp } from '../formats.ts'
import { unchanged } from '../parameters.ts'
import { membersOf } from '../record-schemas.ts'
import type { Routes } from '../route-context.ts'
import { asOfParameter, date, found, identifierParameter, RateLimit, rateLimitOf, text } from './record-read.ts'

const CompanyDetails = z.object(membersOf('company', 'details')).meta({ id: 'CompanyDetails' })
const GstDetails = z.object(membersOf('gst', 'details')).meta({ id: 'GstDetails' })
const DirectorDetails = z
  .object({
    ...membersOf('director', 'details'),
    companies: z.array(
      z
        .object({
          CIN: z.string(),
          companyName: text.describe('null for a company that the company register does not hold'),
          Designation: z.string(),
          dateOfAppointment: date,
          dateOfCessation: date,
        })
        .meta({ id: 'Directorship' }),
    ),
  })
  .meta({ id: 'DirectorDetails' })

const Officer = z
  .object({
    DIN: z.string(),
    Name: text.describe('null for a director whom the director register did not hold'),
    Designation: z.string(),
    dateOfAppointment: date,
    dateOfCessation: date,
  })
  .meta({ id: 'Officer' })

const Version = z
  .object({
    as_of: day('Day of the snapshot that last changed the record up to the day asked for'),
    closed_on: date.describe('Day from which the record was absent from its snapshots; null while it stood in them'),
    run_id: z.number().describe('The run that took the snapshot in'),
    source: text,
    sha256: text.describe("Of the snapshot's bytes"),
    changed_at: timestamp('at which the register changed'),
  })
  .meta({ id: 'RecordVersion' })
  .optional()
  .describe('Only with as_of')

const Origin = z
  .object({
    data_as_of: day('Day as of which the register was last known to hold the record so'),
    source: z.string(),
    run_id: z.number().describe('The run that changed the record last'),
    file: text.describe('Its file, by name'),
    sha256: text.describe("Of the file's bytes"),
  })
  .meta({ id: 'RecordOrigin' })
  .optional()
  .describe('Only with include=origin')
const include = z.literal('origin').optional().describe('origin: the day, source and file that the answer stands on')

const repliesWith = <T extends z.ZodType>(data: T) => ({
  200: z.object({ data, version: Version, origin: Origin, rate_limit: RateLimit }),
  304: unchanged,
})

export const detailsRoutes: Routes = async (app, { db }) => {
  const readCompanyDetails = createCompanyDetailsReader(db)
  const readGstDetails = createGstDetailsReader(db)
  const readDirectorDetails = createDirectorDetailsReader(db)
  const originOf = async (include: 'origin' | undefined, entity: EntityType, identifier: string) =>
    include === undefined ? undefined : await readOrigin(db, entity, identifier)

  app.get(
    '/api/company/details',
    {
      config: { limit: 'details', etag: true, errors: recordErrors },
      schema: {
        operationId: 'getCompanyDetails',
        tags: ['Details'],
        summary: 'Details of one company or LLP',
        description: 'Takes a CIN, LLPIN, FLLPIN or FCRN in any case. Counts as one call of the daily details limit.',
        querystring: z.object({
          cin: identifierParameter(exampleRecords.cin, 'CIN, LLPIN, FLLPIN or FCRN'),
          as_of: asOfParameter,
          include,
        }),
        response: {
          200: z.object({
            data: CompanyDetails,
            version: Version,
            directors: z.array(Officer).optional().describe('Appointments on that day; only with as_of'),
            origin: Origin,
            rate_limit: RateLimit,
          }),
          304: unchanged,
        },
      },
    },
    async (request) => {
      const cin = companyIdFrom(request.query.cin)
      const origin = await originOf(request.query.include, 'company', cin)
      const day = request.query.as_of
      if (day !== undefined) {
        const { details, version, officers } = await readCompanyAsOf(db, cin, day)
        return { data: details, version, directors: [...officers], origin, rate_limit: rateLimitOf(request.limitState) }
      }
      const data = found(await readCompanyDetails(cin), `company ${cin}`)
      return { data, origin, rate_limit: rateLimitOf(request.limitState) }
    },
  )

  app.get(
    '/api/gst/details',
    {
      config: { limit: 'details', etag: true, errors: recordErrors },
      schema: {
        operationId: 'getGstDetails',
        tags: ['Details'],
        summary: 'Details of one GST registration',
        description: 'The check digit is verified first. Counts as one call of the daily details limit.',
        querystring: z.object({
          gstin: identifierParameter(exampleRecords.gstin, 'GSTIN, 15 characters'),
          as_of: asOfParameter,
          include,
        }),
        response: repliesWith(GstDetails),
      },
    },
    async (request) => {
      const gstin = gstinFrom(request.query.gstin)
      const origin = await originOf(request.query.include, 'gst', gstin)
      const day = request.query.as_of
      const { details, version } =
        day === undefined
          ? { details: found(await readGstDetails(gstin), `GST registration ${gstin}`), version: undefined }
          : await readGstAsOf(db, gstin, day)
      const lists = {
        BusinessActivities: [...details.BusinessActivities],
        hsnCodes: [...details.hsnCodes],
        sacCodes: [...details.sacCodes],
      }
      return { data: { ...details, ...lists }, version, origin, rate_limit: rateLimitOf(request.limitState) }
    },
  )

  app.get(
    '/api/company/director-details',
    {
      config: { limit: 'details', etag: true, errors: recordErrors },
      schema: {
        operationId: 'getDirectorDetails',
        tags: ['Details'],
        summary: 'Details of one director with the companies',
        description: 'Leading zeros may be left out. Counts as one call of the daily details limit.',
        querystring: z.object({
          din: identifierParameter(exampleRecords.din, 'DIN, eight digits'),
          as_of: asOfParameter,
          include,
        }),
        response: repliesWith(DirectorDetails),
      },
    },
    async (request) => {
      const din = dinFrom(request.query.din)
      const origin = await originOf(request.query.include, 'director', din)
      const day = request.query.as_of
      const { details, version } =
        day === undefined
          ? { details: found(await readDirectorDetails(din), `director ${din}`), version: undefined }
          : await readDirectorAsOf(db, din, day)
      const data = { ...details, companies: [...details.companies] }
      return { data, version, origin, rate_limit: rateLimitOf(request.limitState) }
    },
  )
}
