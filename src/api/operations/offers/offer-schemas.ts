import { z } from 'zod'
import type { Activation } from '../../../access/offers.ts'
import { entityTypes } from '../../../domain/identity.ts'
import { timestamp } from '../../formats.ts'
import type { Shown } from '../../operation.ts'

export const Offer = z
  .object({
    id: z.string(),
    name: z.string(),
    description: z.string(),
    price: z.number().describe('INR'),
    duration_days: z.number(),
    features: z.array(z.string()).readonly(),
  })
  .meta({ id: 'Offer' })

export const ActivatedOffer = z.object({
  data: z
    .object({
      offer: Offer,
      activated_at: timestamp(),
      expires_at: timestamp(),
      datasets: z.array(z.enum(entityTypes)).describe('Feeds that it opens; see GET /api/access'),
    })
    .meta({ id: 'ActivatedOffer' }),
})

export function activationOf({ offer, activatedAt, expiresAt, datasets }: Activation): Shown<typeof ActivatedOffer> {
  return {
    data: {
      offer,
      activated_at: activatedAt.toISOString(),
      expires_at: expiresAt.toISOString(),
      datasets,
    },
  }
}
