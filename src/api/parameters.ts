/** Parameters that several routes share, with their bounds. */
import { z } from 'zod'

/** Text without NUL, which PostgreSQL cannot hold. */
export const plainText = (charactersMax: number) =>
  z
    .string()
    .max(charactersMax)
    .refine((value) => !value.includes('\0'), 'must not hold a NUL character')

/** A text filter in a query string: present means not empty. */
export const textFilter = (description: string) =>
  plainText(200).min(1, 'must not be empty').optional().describe(description)

/** `page` and `limit` of a query string. */
export const paging = (limitMax: number) => ({
  page: z.coerce.number().int().min(1).max(1_000_000).default(1),
  limit: z.coerce.number().int().min(1).max(limitMax).default(10),
})
