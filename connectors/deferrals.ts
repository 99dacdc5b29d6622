/** Leads that must wait, through no fault of theirs: the CRM has no room for more, or a call ended the push before their turn. */
import { AppError } from '../src/errors.ts'
import type { PushOutcome, Refusal } from './contract.ts'

const noRoomMs = 15 * 60_000
const unsentMs = 60_000

/**
 * @param blocking codes that say so. `LIMIT_EXCEEDED` of a row may be of a field's size: where it names a field, it is no other
 * lead's matter.
 */
export function isWantOfRoom(blocking: ReadonlySet<string>, { code, field }: Pick<Refusal, 'code' | 'field'>): boolean {
  return blocking.has(code) && (code !== 'LIMIT_EXCEEDED' || field === null)
}

/** One row was refused for want of room; so would all others be. */
export function withoutRoom(refusal: Refusal): PushOutcome {
  return { status: 'deferred', afterMs: noRoomMs, blocks: true, ...refusal }
}

/** A whole call was refused for want of room: nothing was written, and its rows are not to be tried one by one. */
export function limitReached({ code, message }: Omit<Refusal, 'field'>, cause?: unknown): AppError {
  return new AppError('CRM_LIMIT_REACHED', message, { retry: 'later', extra: { vendorCode: code }, cause })
}

/** A lead that was not sent, since this ended the push. */
export function deferred(stoppedBy: AppError): PushOutcome {
  const { code, message, retry, extra } = stoppedBy
  const { vendorCode } = extra
  if (code === 'CRM_LIMIT_REACHED')
    return withoutRoom({ code: typeof vendorCode === 'string' ? vendorCode : code, field: null, message })
  const afterMs = typeof retry === 'object' ? retry.afterMs : unsentMs
  return { status: 'deferred', afterMs, code, field: null, message }
}
