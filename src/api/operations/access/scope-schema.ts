/** The parts of a scope that the access statement and the feeds' `access` block have in common. */

import { z } from 'zod'
import { grantKinds } from '../../../access/entitlements.ts'
import { day, timestamp } from '../../formats.ts'

export const GrantedBy = z.enum(grantKinds)

const names = z.array(z.string()).readonly().nullable()

export const Territory = z
  .object({
    restricted: z
      .boolean()
      .describe(
        'false: nationwide; true: the lists are enforced. Where grants have lists of different kinds, see `grants`.',
      ),
    states: names,
    districts: names,
    pincodes: names,
  })
  .meta({ id: 'Territory' })

export const DateWindow = z
  .object({
    from: day('First day').nullable(),
    to: day('Last day').nullable(),
    anchored_to_subscription: z.boolean(),
  })
  .meta({ id: 'DateWindow' })

export const StatedGrant = z
  .object({
    plan: z.string(),
    territory: Territory,
    date_window: DateWindow,
    expires_at: timestamp().nullable(),
  })
  .meta({ id: 'StatedGrant' })
