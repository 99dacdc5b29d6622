/** When the leads of a paid order go into a destination: a word or a time of day goes in, the moment or none comes out. */
import { AppError } from '../../errors.ts'

/**
 * `automatic`: as soon as the order is paid. `approved`: when somebody pushes the hash of a plan. `manual`: when somebody
 * asks. A time of day, `HH:MM` in India: then.
 */
export type DeliverWhen = 'automatic' | 'approved' | 'manual' | `${string}:${string}`

export const deliverPattern = /^(automatic|approved|manual|([01]\d|2[0-3]):[0-5]\d)$/

/** @throws AppError DESTINATION_INVALID */
export function readDeliverWhen(text: string): DeliverWhen {
  if (deliverPattern.test(text)) return text as DeliverWhen
  throw new AppError(
    'DESTINATION_INVALID',
    `deliver: "${text}" is none of automatic, approved, manual or a time of day like 07:30`,
  )
}

/** Orders are delivered there automatically, now or at a time. */
export const deliversByItself = (when: string): boolean => when === 'automatic' || when.includes(':')
