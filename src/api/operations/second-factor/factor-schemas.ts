import { z } from 'zod'
import type { ActingPerson } from '../../../access/people.ts'
import { secondFactorShape, typedFactor } from '../../../access/person-factor.ts'
import { AppError } from '../../../errors.ts'
import type { Principal } from '../../route-context.ts'

export const totp = z
  .string()
  .max(30)
  .overwrite(typedFactor)
  .regex(/^\d{6}$/, 'six digits')
  .describe('Current code of the authenticator')

export const totpOrRecovery = z
  .string()
  .max(30)
  .overwrite(typedFactor)
  .regex(secondFactorShape, 'six digits, or a recovery code')
  .describe('Current code of the authenticator, or a recovery code')

/** @throws AppError CONFLICT for the session of an API key. */
export function personOf({ person }: Principal): ActingPerson {
  if (person) return person
  throw new AppError('CONFLICT', 'An API key has no second factor. Sign in as a person of the account.')
}
