import { z } from 'zod'
import type { KnownOperator } from '../../../access/operators.ts'
import { operatorRoles } from '../../../domain/operator-role.ts'
import { AppError } from '../../../errors.ts'
import { timestamp } from '../../formats.ts'
import { csrfTokenOf } from '../../hooks/browser-session.ts'

export const Session = z
  .object({
    name: z.string().describe('Name of the operator'),
    role: z.enum(operatorRoles),
    is_sample_world: z.boolean().describe('Whether the registers hold the invented records of the sample world'),
    csrf_token: z.string().describe('For the X-CSRF-Token header of every further call'),
    expires_at: timestamp('at which the session ends'),
  })
  .meta({ id: 'ConsoleSession' })

export const Ended = z.null().describe('Ended')

export const noSession = () => new AppError('NOT_FOUND', 'This call came by a token, which has no session to end.')

export function sessionState(
  { name, role }: KnownOperator,
  { secret, expiresAt }: { readonly secret: string; readonly expiresAt: Date },
  isSampleWorld: boolean,
): z.output<typeof Session> {
  return {
    name,
    role,
    is_sample_world: isSampleWorld,
    csrf_token: csrfTokenOf(secret),
    expires_at: expiresAt.toISOString(),
  }
}
