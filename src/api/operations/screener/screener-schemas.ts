/** Queries of the screener language, and what a search shows of a record, shared by screener and filters. */

import { z } from 'zod'
import { screenerTypes } from '../../../registry/screener/fields.ts'
import { queryBytesMax } from '../../../registry/screener/parser.ts'
import { membersOf } from '../../record-schemas.ts'

export const Type = z.enum(screenerTypes).describe('Register to search')

export const Query = z
  .string()
  .max(queryBytesMax)
  .describe('Query in the screener language')
  .meta({ examples: ["State == 'Maharashtra' AND paidUpCapital > 1000000"] })

const { companyName, ...others } = membersOf('company', 'hit')

export const CompanyHit = z.object({ ...others, companyName }).meta({ id: 'CompanyHit' })

/** Running a saved screener renames the member that holds the company's name. */
export const companyRunHit = { ...others, company: companyName }

export const GstHit = z.object(membersOf('gst', 'hit')).meta({ id: 'GstHit' })

const text = z.string().nullable()

export const NextCursor = text.describe('Send as `cursor` for the next page; null on the last one')

export const Notice = z
  .string()
  .optional()
  .describe(
    'Present where date conditions left out registrations that a feed sells: what was left out, and what includes it',
  )

/** What a search leaves out. */
export const soldRule =
  'Registrations of the last 90 days are sold as feeds: conditions on their dates, and on parts of a CIN that contain the ' +
  'year, find them only within your entitlement to the feed; `notice` says where it mattered. Where the register has ' +
  'some outside it, a count above 100 for a condition on recent dates is rounded up, to at most two digits.'

/** The cursor in a request. */
export const Cursor = z
  .string()
  .max(400)
  .optional()
  .meta({ description: 'next_cursor of the previous page', examples: ['eyJ2IjoxfQ'] })
