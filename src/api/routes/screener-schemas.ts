/** What a query of the screener language is, and what a search shows of a record: for screener and filters alike. */
import { z } from 'zod'
import { screenerTypes } from '../../registry/screener/fields.ts'
import { membersOf } from '../record-schemas.ts'

export const Type = z.enum(screenerTypes).describe('What is searched')
export const Query = z
  .string()
  .describe('Text of the screener language')
  .meta({ examples: ["State == 'Maharashtra' AND paidUpCapital > 1000000"] })

const { companyName, ...others } = membersOf('company', 'hit')
export const CompanyHit = z.object({ ...others, companyName }).meta({ id: 'CompanyHit' })
/** A run of a screener gives the name another name. */
export const companyRunHit = { ...others, company: companyName }
export const GstHit = z.object(membersOf('gst', 'hit')).meta({ id: 'GstHit' })
