/** Billing details in requests and answers. */
import { z } from 'zod'
import type { BillingDetails as Details } from '../domain/billing-details.ts'
import { revisionRead } from './parameters.ts'

export const BillingBody = z
  .strictObject({
    legal_name: z.string().trim().min(1).max(200).describe('Name of the buyer, in any script'),
    address: z.string().trim().min(1).max(500).describe('Including the PIN code; lines end with a line feed'),
    place_of_supply: z
      .string()
      .regex(/^\d{2}$/, 'must be the two digits of a state, such as 27 for Maharashtra')
      .nullish()
      .describe('Two-digit code of your state; must match the GSTIN, and defaults to it'),
    gstin: z.string().max(20).nullish().describe('If you are registered, for your input tax credit'),
    revision: revisionRead,
  })
  .meta({
    examples: [{ legal_name: 'Mandovi Trading LLP', address: '12 Altinho, Panaji 403001', place_of_supply: '30' }],
  })

export const KeptBilling = z
  .object({
    legal_name: z.string(),
    address: z.string(),
    place_of_supply: z.string().describe('Two-digit state code'),
    gstin: z.string().nullable(),
  })
  .meta({ id: 'BillingDetails' })

export const billing = BillingBody.optional().describe(
  'Billing details for the invoice of an online payment; stored with the account for later ones. By default the stored details.',
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
