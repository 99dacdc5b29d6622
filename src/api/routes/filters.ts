/** Attribute filters over companies, GST registrations and directors; each call uses one unit of the search limit. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { readExcludesPreferences } from '../../access/contact-rules.ts'
import { AppError } from '../../errors.ts'
import { type FilterPage, filterCompanies, filterDirectors, filterGst } from '../../registry/filters.ts'
import { companyIdFrom, dinFrom, gstinFrom } from '../../registry/identifier-input.ts'
import { asksForContacts } from '../../registry/reachable.ts'
import { readMeaning } from '../../registry/words/words-asked.ts'
import { dearErrors } from '../documented-errors.ts'
import { exampleRecords } from '../example-records.ts'
import { calendarDay, paging, stateAsked, textFilter } from '../parameters.ts'
import { membersOf } from '../record-schemas.ts'
import { principalOf, type Routes } from '../route-context.ts'
import { CompanyHit, GstHit } from './screener-schemas.ts'

const yesOrNo = (description: string) =>
  z
    .string()
    // Without a flag, which the OpenAPI document could not show.
    .regex(/^([Yy][Ee][Ss]|[Nn][Oo]|[Tt][Rr][Uu][Ee]|[Ff][Aa][Ll][Ss][Ee])$/, 'must be Yes or No')
    .optional()
    .meta({ description: `${description}: Yes or No`, examples: ['No'] })
const day = (description: string, example: string) =>
  calendarDay.optional().meta({ description: `${description}, YYYY-MM-DD`, examples: [example] })
const cursor = z
  .string()
  .max(400)
  .optional()
  .meta({ description: 'X-Next-Cursor of the page before', examples: ['eyJ2IjoxfQ'] })
const pageRule =
  'X-Total-Count tells how many there are. Beyond page × limit = 10,000 continue with X-Next-Cursor, sent as cursor.'
const anyCasing = 'Names of parameters are taken in any casing.'
const nameRule = 'Names match regardless of case, punctuation and legal form (PVT LTD, LIMITED, LLP), best match first.'

const reachParameters = {
  hasEmail: yesOrNo('Can be reached by e-mail, as orders and quotes count it'),
  hasMobile: yesOrNo('Can be reached under a mobile number, as orders and quotes count it'),
}
const reachNames = { has_email: 'hasEmail', has_mobile: 'hasMobile' }

const DirectorHit = z.object(membersOf('director', 'hit')).meta({ id: 'DirectorHit' })

export const filterRoutes: Routes = async (app, { db, dearReads }) => {
  /** By the contact rules of whoever asks, so that what is found is what an order would reach. */
  async function reachAsked(
    request: FastifyRequest,
    asked: { readonly [key in 'hasEmail' | 'hasMobile']?: string | undefined },
  ) {
    const reach = { hasEmail: saidYes(asked.hasEmail), hasMobile: saidYes(asked.hasMobile) }
    if (!asksForContacts(reach)) return reach
    return { ...reach, excludesPreferences: await readExcludesPreferences(db, principalOf(request).accountId) }
  }

  app.get(
    '/api/company/company-filter',
    {
      config: {
        limit: 'search',
        otherNames: { companyName: 'company', ...reachNames },
        errors: ['UNPROCESSABLE', ...dearErrors],
      },
      schema: {
        operationId: 'searchCompanies',
        tags: ['Filters'],
        summary: 'Companies by identifier, name, state and city',
        description: `All parameters are optional and narrow together. ${anyCasing} ${nameRule} ${pageRule}`,
        querystring: z.object({
          CIN: textFilter('CIN, LLPIN, FLLPIN or FCRN').meta({ examples: [exampleRecords.cin] }),
          company: textFilter('Name, whole or in part').meta({ examples: [exampleRecords.companyName] }),
          state: textFilter('State, in any usual spelling').meta({ examples: ['Goa'] }),
          city: textFilter('City').meta({ examples: ['Panaji'] }),
          ...reachParameters,
          ...paging(100),
          cursor,
        }),
        response: { 200: z.array(CompanyHit) },
      },
    },
    async (request, reply) => {
      const { CIN, ...rest } = request.query
      const cin = CIN === undefined ? undefined : companyIdFrom(CIN, 'CIN')
      const asked = { ...rest, cin, state: stateAsked('state', rest.state), ...(await reachAsked(request, rest)) }
      return [...paged(reply, await dearReads.run(request, (dearDb) => filterCompanies(dearDb, asked)))]
    },
  )

  app.get(
    '/api/gst/gst-filter',
    {
      config: { limit: 'search', otherNames: reachNames, errors: ['UNPROCESSABLE', ...dearErrors] },
      schema: {
        operationId: 'searchGstRegistrations',
        tags: ['Filters'],
        summary: 'GST registrations by GSTIN, trade name, state and status',
        description: `All parameters are optional and narrow together. ${anyCasing} ${nameRule} ${pageRule}`,
        querystring: z.object({
          GSTIN: textFilter('GSTIN').meta({ examples: [exampleRecords.gstin] }),
          TradeName: textFilter('Name, whole or in part').meta({ examples: [exampleRecords.tradeName] }),
          State: textFilter('State, in any usual spelling').meta({ examples: ['Goa'] }),
          Status: textFilter('Status, for example Active, in any spelling').meta({ examples: ['Active'] }),
          ...reachParameters,
          ...paging(100),
          cursor,
        }),
        response: { 200: z.array(GstHit) },
      },
    },
    async (request, reply) => {
      const { query } = request
      const { GSTIN, TradeName, State, Status, page, limit } = query
      const gstin = GSTIN === undefined ? undefined : gstinFrom(GSTIN, 'GSTIN')
      const state = stateAsked('State', State)
      const status = { entity: 'gst', column: 'status', parameter: 'Status' } as const
      const statuses = Status === undefined ? undefined : await readMeaning(db, { ...status, text: Status })
      const reach = await reachAsked(request, query)
      const asked = { gstin, tradeName: TradeName, state, statuses, page, limit, cursor: query.cursor, ...reach }
      return [...paged(reply, await dearReads.run(request, (dearDb) => filterGst(dearDb, asked)))]
    },
  )

  app.get(
    '/api/company/director-filter',
    {
      config: { limit: 'search', otherNames: reachNames, errors: ['UNPROCESSABLE', ...dearErrors] },
      schema: {
        operationId: 'searchDirectors',
        tags: ['Filters'],
        summary: 'Directors by their attributes',
        description:
          `All parameters are optional and narrow together. ${anyCasing} Parts of a name match by their beginning. ` +
          'A range of dates of birth reaches over whole calendar years.',
        querystring: z.object({
          din: textFilter('DIN').meta({ examples: [exampleRecords.din] }),
          firstName: textFilter('First name').meta({ examples: ['Naveen'] }),
          middleName: textFilter('Middle name').meta({ examples: ['Kumar'] }),
          lastName: textFilter('Last name').meta({ examples: ['Patil'] }),
          directorDisqualified: yesOrNo('Disqualified under section 164(2)'),
          gender: textFilter('Gender').meta({ examples: ['Male'] }),
          residentOfIndia: yesOrNo('Resident of India'),
          citizenOfIndia: yesOrNo('Citizen of India'),
          nationality: textFilter('Nationality').meta({ examples: ['Indian'] }),
          dateOfBirthFrom: day('Earliest date of birth; its year counts', '1950-01-01'),
          dateOfBirthTo: day('Latest date of birth; its year counts, to 31 December', '2000-12-31'),
          state: textFilter('State, in any usual spelling').meta({ examples: ['Goa'] }),
          district: textFilter('District').meta({ examples: ['North Goa'] }),
          country: textFilter('Country').meta({ examples: ['India'] }),
          ...reachParameters,
          postalCode: textFilter('PIN or postal code').meta({ examples: ['403001'] }),
          ...paging(100),
        }),
        response: {
          200: z.object({
            results: z.array(DirectorHit),
            total_results: z.number(),
            page: z.number(),
            limit: z.number(),
          }),
        },
      },
    },
    async (request) => {
      const { query } = request
      const { din, dateOfBirthFrom: bornFrom, dateOfBirthTo: bornTo, directorDisqualified, ...rest } = query
      refuseReversed(bornFrom, bornTo)
      const filter = {
        ...rest,
        din: din === undefined ? undefined : dinFrom(din),
        disqualified: answerOf(directorDisqualified),
        residentOfIndia: answerOf(rest.residentOfIndia),
        citizenOfIndia: answerOf(rest.citizenOfIndia),
        bornFrom,
        bornTo,
        state: stateAsked('state', rest.state),
        ...(await reachAsked(request, query)),
      }
      const { results, total } = await dearReads.run(request, (db) => filterDirectors(db, filter))
      return { results, total_results: total, page: query.page, limit: query.limit }
    },
  )
}

/** The list is the whole body, so its total and its continuation travel as headers. */
function paged<Hit>(reply: FastifyReply, { results, total, nextCursor }: FilterPage<Hit>): readonly Hit[] {
  reply.header('X-Total-Count', String(total))
  if (nextCursor !== null) reply.header('X-Next-Cursor', nextCursor)
  return results
}

const saidYes = (text: string | undefined): boolean | undefined =>
  text === undefined ? undefined : answerOf(text) === 'Yes'
const answerOf = (text: string | undefined): string | undefined =>
  text === undefined ? undefined : /^(yes|true)$/i.test(text) ? 'Yes' : 'No'

function refuseReversed(from: string | undefined, to: string | undefined): void {
  if (from !== undefined && to !== undefined && from > to) {
    throw new AppError('UNPROCESSABLE', `dateOfBirthFrom ${from} is after dateOfBirthTo ${to}.`)
  }
}
