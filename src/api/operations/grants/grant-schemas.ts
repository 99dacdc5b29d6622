import { z } from 'zod'
import { type GrantRecord, grantState, grantStates } from '../../../access/grants.ts'
import { entityTypes } from '../../../domain/identity.ts'
import { timestamp, uuid } from '../../formats.ts'
import { GrantedBy, StatedGrant } from '../access/scope-schema.ts'

export const Grant = StatedGrant.extend({
  grant_id: uuid('ID of the grant'),
  dataset: z.enum(entityTypes),
  granted_by: GrantedBy,
  interval: z.string(),
  trial: z.boolean().describe('Free trial'),
  state: z.enum(grantStates),
  starts_at: timestamp(),
  revoked_at: timestamp().nullable(),
}).meta({ id: 'Grant' })

export const grantReply = (grant: GrantRecord): z.output<typeof Grant> => grantState(grant)
