/** Billing details in requests and answers. */
import { z } from 'zod'
import { checkedBillingDetails, setBillingDetails } from '../access/billing-details.ts'
import type { Tx } from '../db/db.ts'
import type { BillingDetails as Details } from '../domain/billing-details.ts'
import { revisionRead } from './parameters.ts'
import type { Principal } from './route-context.ts'

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

export const billingOf = ({ legal_name, address, place_of_supply, gstin }: z.output<typeof BillingBody>): Details =>
  checkedBillingDetails({ legalName: legal_name, address, placeOfSupply: place_of_supply, gstin })

/**
 * Checks the details that a purchase sends, if any. @returns what stores them in the transaction of the purchase, so that
 * one that is refused stores none. @throws AppError UNPROCESSABLE
 */
export function billingToKeep(
  body: z.output<typeof BillingBody> | undefined,
  { accountId, person }: Principal,
): (tx: Tx) => Promise<void> {
  if (body === undefined) return async () => undefined
  const details = billingOf(body)
  return (tx) => setBillingDetails(tx, accountId, details, { read: body.revision, by: person, isBeside: true })
}

export const shownBilling = (details: Details): z.output<typeof KeptBilling> => ({
  legal_name: details.legalName,
  address: details.address,
  place_of_supply: details.placeOfSupply,
  gstin: details.gstin,
})
