import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { readExcludesPreferences } from '../../../access/contact-rules.ts'
import type { Db } from '../../../db/db.ts'
import type { FilterPage } from '../../../registry/filters.ts'
import { asksForContacts } from '../../../registry/reachable.ts'
import { expensiveErrors } from '../../documented-errors.ts'
import { principalOf } from '../../route-context.ts'

export const filterFacts = {
  method: 'GET',
  caller: { scopes: ['read'] },
  audit: { reads: 'filters' },
  seesAll: true,
  limit: 'search',
  errors: ['UNPROCESSABLE', ...expensiveErrors],
} as const

export const yesOrNo = (description: string) =>
  z
    .string()
    // Without a flag, which the OpenAPI document cannot express.
    .regex(/^([Yy][Ee][Ss]|[Nn][Oo]|[Tt][Rr][Uu][Ee]|[Ff][Aa][Ll][Ss][Ee])$/, 'must be Yes or No')
    .optional()
    .meta({ description: `${description}: Yes or No`, examples: ['No'] })

export const cursor = z
  .string()
  .max(400)
  .optional()
  .meta({ description: 'X-Next-Cursor of the previous page', examples: ['eyJ2IjoxfQ'] })

export const pageRule =
  'X-Total-Count has the total. Beyond page × limit = 10,000 continue with X-Next-Cursor, sent as cursor.'

export const anyCasing = 'Parameter names are case-insensitive.'

export const nameRule =
  'Names match regardless of case, punctuation and legal form (PVT LTD, (P) LTD, LIMITED, LLP), best match first.'

export const reachParameters = {
  hasEmail: yesOrNo('Reachable by e-mail, as counted by orders and quotes'),
  hasMobile: yesOrNo('Reachable at a mobile number, as counted by orders and quotes'),
}

export const reachNames = { has_email: 'hasEmail', has_mobile: 'hasMobile' }

/** The list is the whole body, so its total and cursor travel as headers. */
export function paged<Hit>(reply: FastifyReply, { results, total, nextCursor }: FilterPage<Hit>): readonly Hit[] {
  reply.header('X-Total-Count', String(total))
  if (nextCursor !== null) reply.header('X-Next-Cursor', nextCursor)
  return results
}

export const saidYes = (text: string | undefined): boolean | undefined =>
  text === undefined ? undefined : answerOf(text) === 'Yes'

export const answerOf = (text: string | undefined): string | undefined =>
  text === undefined ? undefined : /^(yes|true)$/i.test(text) ? 'Yes' : 'No'

/** Applies the caller's contact rules, so that a search finds what an order would reach. */
export async function reachAsked(
  db: Db,
  request: FastifyRequest,
  filter: { readonly [key in 'hasEmail' | 'hasMobile']?: string | undefined },
) {
  const reach = { hasEmail: saidYes(filter.hasEmail), hasMobile: saidYes(filter.hasMobile) }
  if (!asksForContacts(reach)) return reach
  return { ...reach, excludesPreferences: await readExcludesPreferences(db, principalOf(request).accountId) }
}
