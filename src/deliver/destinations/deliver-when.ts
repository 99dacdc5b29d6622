/** When the leads of a paid order are delivered to a destination. */
import { AppError } from '../../errors.ts'

/**
 * `automatic`: as soon as the order is paid. `approved`: once a person approves a plan by its hash. `manual`: on
 * request. A time of day, `HH:MM` in India: then.
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

/** @throws AppError CONFLICT for a destination that delivers approved plans only; `instead` is what to do. */
export function requireNoApproval(deliver: string | undefined, instead: string): void {
  if (deliver !== 'approved') return
  throw new AppError('CONFLICT', `This destination delivers approved plans only: ${instead}`, {
    extra: { reason: 'approval_required' },
  })
}
