/**
 * Why a destination's deliveries are held up now, worded for the person who requested the push or the delivery. Pure.
 */
import type { StandingFailure } from '../lease/breaker.ts'
import { accountSuspended, outsideHours, takesNothing } from '../lease/lease.ts'

export interface Standing {
  readonly status: string
  readonly statusReason: string | null
  readonly failure: StandingFailure | null
  /** The destination's hours, if it is outside them now. */
  readonly shutUntil: string | null
  readonly isSuspended: boolean
}

/** For a destination `d` and its account `a`. */
export const standingSql = `jsonb_build_object('status', d.status, 'statusReason', d.status_reason, 'failure', d.failure,
  'shutUntil', CASE WHEN NOT deliver.within_hours(d.hours, clock_timestamp()) THEN d.hours END,
  'isSuspended', a.suspended_at IS NOT NULL OR a.erased_at IS NOT NULL)`

/** @returns null if nothing holds them up. */
export function holdUpOf({ status, statusReason, failure, shutUntil, isSuspended }: Standing): StandingFailure | null {
  if (isSuspended) return { code: 'ACCOUNT_SUSPENDED', message: accountSuspended }
  if (status !== 'active' && status !== 'broken')
    return { code: 'CONFLICT', message: takesNothing(status, statusReason) }
  if (shutUntil !== null) return { code: 'CONFLICT', message: outsideHours(shutUntil) }
  return failure === null ? null : { code: failure.code, message: failure.message }
}
