/** What a query of the screener language is, and what a search shows of a record: for screener and filters alike. */

import { z } from 'zod'
import { screenerTypes } from '../../../registry/screener/fields.ts'
import { queryBytesMax } from '../../../registry/screener/parser.ts'
import { membersOf } from '../../record-schemas.ts'

export const Type = z.enum(screenerTypes).describe('What is searched')

export const Query = z
  .string()
  .max(queryBytesMax)
  .describe('Text of the screener language')
  .meta({ examples: ["State == 'Maharashtra' AND paidUpCapital > 1000000"] })

const { companyName, ...others } = membersOf('company', 'hit')

export const CompanyHit = z.object({ ...others, companyName }).meta({ id: 'CompanyHit' })

/** A run of a screener gives the name another name. */
export const companyRunHit = { ...others, company: companyName }

export const GstHit = z.object(membersOf('gst', 'hit')).meta({ id: 'GstHit' })

const text = z.string().nullable()

export const NextCursor = text.describe('Send as `cursor` for the next page; null on the last one')

export const Notice = z
  .string()
  .optional()
  .describe('Present where conditions on dates left out registrations that a feed sells: what, and what opens it')

/** What a search leaves out. */
export const soldRule =
  'Registrations of the last 90 days are what the feeds sell: conditions on their dates, and parts of a CIN that tell its ' +
  'year, find them only within your entitlement to the feed; `notice` says so where it mattered. Where the register holds ' +
  'some outside it, a count above 100 of a condition on recent dates is rounded up, to two digits at most.'

/** Of a request. */
export const Cursor = z
  .string()
  .max(400)
  .optional()
  .meta({ description: 'next_cursor of the page before', examples: ['eyJ2IjoxfQ'] })
