/** What a query of the screener language is, and what a search shows of a record: for screener and filters alike. */
import { z } from 'zod'
import { screenerTypes } from '../../registry/screener/fields.ts'

const text = z.string().nullable()
export const Type = z.enum(screenerTypes).describe('What is searched')
export const Query = z
  .string()
  .describe('Text of the screener language')
  .meta({ examples: ["State == 'Maharashtra' AND paidUpCapital > 1000000"] })

export const companyHit = {
  CIN: z.string(),
  State: text,
  City: text,
  paidUpCapital: z.number().nullable().describe('INR'),
  llpStatus: text,
}
export const CompanyHit = z.object({ ...companyHit, companyName: z.string() }).meta({ id: 'CompanyHit' })
export const GstHit = z
  .object({ GSTIN: z.string(), TradeName: text, state: text, Status: text, TaxpayerType: text })
  .meta({ id: 'GstHit' })
