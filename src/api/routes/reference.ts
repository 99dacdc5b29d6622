/** Lookups of HSN, SAC and NIC codes. */
import { z } from 'zod'
import { AppError } from '../../errors.ts'
import { lookUpHsn, lookUpNic, lookUpSac } from '../../registry/reference.ts'
import { textFilter, unchanged } from '../parameters.ts'
import type { Routes } from '../route-context.ts'

const lookup = (example: string, word: string) => ({
  code: textFilter('Exact code or its beginning').meta({ examples: [example] }),
  search: textFilter('Words of the description, in any case').meta({ examples: [word] }),
  limit: z.coerce.number().int().min(1).max(50).default(10).describe('Records at most'),
})
const description = 'Give code, search or both. The exact code comes first, broader codes before narrower ones.'
const repliesWith = <T extends z.ZodType>(record: T) => ({
  200: z.object({ data: z.array(record) }),
  304: unchanged,
})

const Hsn = z
  .object({
    code: z.string(),
    description: z.string(),
    chapter: z.number(),
    section: z.string().nullable().describe('Roman number of the section'),
  })
  .meta({ id: 'HsnCode' })
const Sac = z.object({ code: z.string(), description: z.string() }).meta({ id: 'SacCode' })
const Nic = z
  .object({
    code: z.number().describe('The digits as a number: 01110 is 1110'),
    description: z.string(),
    section: z.string().nullable(),
    division: z.number().nullable(),
    vintage: z.number().describe('Edition of the classification: 2004 or 2008'),
  })
  .meta({ id: 'NicCode' })

export const referenceRoutes: Routes = async (app, { db }) => {
  app.get(
    '/api/reference/hsn',
    {
      config: { etag: true },
      schema: {
        operationId: 'listHsnCodes',
        tags: ['Reference'],
        summary: 'HSN codes of goods',
        description,
        querystring: z.object(lookup('0902', 'tea')),
        response: repliesWith(Hsn),
      },
    },
    async (request) => ({ data: await lookUpHsn(db, asked(request.query)) }),
  )

  app.get(
    '/api/reference/sac',
    {
      config: { etag: true },
      schema: {
        operationId: 'listSacCodes',
        tags: ['Reference'],
        summary: 'SAC codes of services',
        description,
        querystring: z.object(lookup('9983', 'services')),
        response: repliesWith(Sac),
      },
    },
    async (request) => ({ data: await lookUpSac(db, asked(request.query)) }),
  )

  app.get(
    '/api/reference/nic',
    {
      config: { etag: true },
      schema: {
        operationId: 'listNicCodes',
        tags: ['Reference'],
        summary: 'NIC codes of activities',
        description: `${description} The edition of 2008 unless vintage says 2004.`,
        querystring: z.object({
          ...lookup('0111', 'growing'),
          vintage: z.enum(['2004', '2008']).default('2008').describe('Edition of the classification'),
        }),
        response: repliesWith(Nic),
      },
    },
    async (request) => {
      const vintage = request.query.vintage === '2004' ? 2004 : 2008
      return { data: await lookUpNic(db, { ...asked(request.query), vintage }) }
    },
  )
}

function asked<T extends { readonly code?: string | undefined; readonly search?: string | undefined }>(query: T): T {
  if (query.code === undefined && query.search === undefined) {
    throw new AppError('BAD_REQUEST', 'Either code or search must be given.')
  }
  return query
}
