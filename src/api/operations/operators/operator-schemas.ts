import { z } from 'zod'
import { operatorRoles } from '../../../domain/operator-role.ts'
import { timestamp } from '../../formats.ts'

export const Operator = z
  .object({
    name: z.string(),
    role: z.enum(operatorRoles),
    created_at: timestamp(),
    last_used_at: timestamp().nullable(),
    revoked_at: timestamp().nullable(),
  })
  .meta({ id: 'Operator' })
