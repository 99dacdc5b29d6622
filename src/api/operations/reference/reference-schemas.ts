import { z } from 'zod'
import { AppError } from '../../../errors.ts'
import { textFilter, unchanged, wording } from '../../parameters.ts'

export const referenceFacts = {
  method: 'GET',
  caller: { scopes: ['read'] },
  audit: 'nothing',
  seesAll: true,
  etag: true,
} as const

export const lookup = (example: string, word: string) => ({
  code: wording(200)
    .regex(/^[\d\s]+$/, 'must be digits')
    .optional()
    .meta({ description: 'Exact code or its prefix', examples: [example] }),
  search: textFilter('Words of the description, in any case').meta({ examples: [word] }),
  limit: z.coerce.number().int().min(1).max(50).default(10).describe('Maximum number of records'),
})

export const description =
  'Give code, search or both. The exact code comes first, then descriptions with whole words of the search, with words that begin like them, ' +
  'and with their letters anywhere; of these, broader codes before narrower ones.'

export const repliesWith = <T extends z.ZodType>(record: T) => ({
  200: z.object({ data: z.array(record) }),
  304: unchanged,
})

export function requireSearch<T extends { readonly code?: string | undefined; readonly search?: string | undefined }>(
  query: T,
): T {
  if (query.code === undefined && query.search === undefined) {
    throw new AppError('BAD_REQUEST', 'Send code, search or both.')
  }
  return query
}
