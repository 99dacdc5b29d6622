/**
 * Leads that have to wait through no fault of their own: the CRM is at a limit, or a call ended the push before their
 * turn.
 */
import { AppError } from '../src/errors.ts'
import type { PushOutcome, Refusal } from './contract.ts'

const unsentMs = 60_000

/**
 * @param blocking codes of such limits. `LIMIT_EXCEEDED` of a row may concern the size of a field: if it names a
 * field, it does not concern other leads.
 */
export function isWantOfRoom(blocking: ReadonlySet<string>, { code, field }: Pick<Refusal, 'code' | 'field'>): boolean {
  return blocking.has(code) && (code !== 'LIMIT_EXCEEDED' || field === null)
}

/**
 * One row was refused because the CRM is full, as all others would be. It waits as long as its destination does,
 * without a retry time of its own.
 * @param makeRoom what to do in the CRM.
 */
export function withoutRoom(refusal: Refusal, makeRoom: string): PushOutcome {
  return blocked({ ...refusal, message: wantOfRoom(refusal.message, makeRoom) })
}

/** A whole call was refused because the CRM is full: nothing was written, and its rows are not tried one by one. */
export function limitReached({ code, message }: Omit<Refusal, 'field'>, makeRoom: string, cause?: unknown): AppError {
  const words = wantOfRoom(message, makeRoom)
  return new AppError('CRM_LIMIT_REACHED', words, { retry: 'later', extra: { vendorCode: code }, cause })
}

const blocked = (refusal: Refusal): PushOutcome => ({ status: 'deferred', afterMs: 0, blocks: true, ...refusal })

const wantOfRoom = (said: string, makeRoom: string): string =>
  `${said.replace(/\.$/, '')}. What to do: ${makeRoom}; Panji continues automatically, and at once when you resume the destination.`

/** The outcome of a lead that was not sent because this error ended the push. */
export function deferred(stoppedBy: AppError): PushOutcome {
  const { code, message, retry, extra } = stoppedBy
  const { vendorCode } = extra
  if (code === 'CRM_LIMIT_REACHED')
    return blocked({ code: typeof vendorCode === 'string' ? vendorCode : code, field: null, message })
  const afterMs = typeof retry === 'object' ? retry.afterMs : unsentMs
  return { status: 'deferred', afterMs, code, field: null, message }
}
