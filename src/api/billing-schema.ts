/** Whom invoices name, as the API takes and shows it. */
import { z } from 'zod'
import type { BillingDetails as Details } from '../domain/billing-details.ts'
import { revisionRead } from './parameters.ts'

export const BillingBody = z
  .strictObject({
    legal_name: z.string().trim().min(1).max(200).describe('Of the buyer, in any script'),
    address: z.string().trim().min(1).max(500).describe('With its PIN code; lines end with a line feed'),
    place_of_supply: z
      .string()
      .regex(/^\d{2}$/, 'must be the two digits of a state, such as 27 for Maharashtra')
      .nullish()
      .describe('Two digits of your state, those of the GSTIN where there is one; unless told, these'),
    gstin: z.string().max(20).nullish().describe('Where you are registered, for your input tax'),
    revision: revisionRead,
  })
  .meta({
    examples: [{ legal_name: 'Mandovi Trading LLP', address: '12 Altinho, Panaji 403001', place_of_supply: '30' }],
  })

export const KeptBilling = z
  .object({
    legal_name: z.string(),
    address: z.string(),
    place_of_supply: z.string().describe('Two digits of the state'),
    gstin: z.string().nullable(),
  })
  .meta({ id: 'BillingDetails' })

export const billing = BillingBody.optional().describe(
  'Whom the invoice of an online payment names; kept with the account for later ones. Unless told, what it keeps already.',
)

export const billingAsKept = (body: z.output<typeof BillingBody>) => ({
  legalName: body.legal_name,
  address: body.address,
  placeOfSupply: body.place_of_supply,
  gstin: body.gstin,
})

export const shownBilling = (details: Details): z.output<typeof KeptBilling> => ({
  legal_name: details.legalName,
  address: details.address,
  place_of_supply: details.placeOfSupply,
  gstin: details.gstin,
})
