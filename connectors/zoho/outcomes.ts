/** Interprets Zoho's replies: a row's result becomes an outcome, the refusal of a whole call an AppError. */
import { AppError } from '../../src/errors.ts'
import type { PushOutcome, Refusal } from '../contract.ts'
import { isWantOfRoom, withoutRoom } from '../deferrals.ts'
import { lockedLead, makeRoom, othersLead, required, showModule } from './administrator.ts'
import { identityField } from './mapping.ts'
import { RowReplies, RowReply } from './replies.ts'

const minuteMs = 60_000
/** Transient refusals, with the wait before the next attempt. */
const passing: Readonly<Record<string, number>> = {
  RECORD_LOCKED: 15 * minuteMs,
  ALREADY_MODIFIED: 2_000,
  TOO_MANY_REQUESTS: minuteMs,
}
/** Refusals that apply to every lead until someone in the org makes room. */
const blocking = new Set(['LIMIT_EXCEEDED', 'LICENSE_LIMIT_EXCEEDED', 'STORAGE_LIMIT_EXCEEDED', 'SPACE_LIMIT_EXCEEDED'])

/**
 * The reply to a write by row. Results are matched by position only, so a reply of another length says nothing about
 * any row.
 * @returns null for a reply without rows.
 */
export function rowReplies(body: unknown, rows: number): readonly (RowReply | null)[] | null {
  const parsed = RowReplies.safeParse(body)
  return parsed.success && parsed.data.data.length === rows ? parsed.data.data : null
}

export const isFull = (refusal: Refusal): boolean => isWantOfRoom(blocking, refusal)

/** A refusal that applies to every row of the call. @returns null if single rows may be at fault. */
export function refusalOfCall(body: unknown): Refusal | null {
  const reply = RowReply.safeParse(body).data
  return reply?.status === 'error' ? refusalOf(reply) : null
}

/** The field whose unique value another record has. */
export function duplicateField(reply: RowReply | null): string | null {
  return reply?.status === 'error' && reply.code === 'DUPLICATE_DATA' ? (reply.details.api_name ?? null) : null
}

/** @param values what the CRM holds once the row is accepted. */
export function outcomeOf(
  reply: RowReply | null | undefined,
  status: 'created' | 'updated',
  values: Readonly<Record<string, unknown>>,
): PushOutcome {
  const id = reply?.details.id
  if (reply?.status === 'success' && typeof id === 'string') return { status, crmId: id, values }
  if (reply?.status !== 'error') return { status: 'unknown', message: 'the answer holds no result for this lead' }
  if (reply.code === 'INTERNAL_ERROR')
    return { status: 'unknown', message: 'Zoho failed on this lead (INTERNAL_ERROR)' }
  const refusal = refusalOf(reply)
  if (isFull(refusal)) return withoutRoom(refusal, makeRoom)
  // Two concurrent first pushes of one external id: one wins, the other sees this. The next attempt finds the record.
  const raced = duplicateField(reply) === identityField
  const gone = status === 'updated' && reply.code === 'INVALID_DATA' && reply.details.api_name === 'id'
  const afterMs = raced || gone ? 2_000 : passing[reply.code]
  return afterMs === undefined ? { status: 'rejected', ...refusal } : { status: 'deferred', afterMs, ...refusal }
}

export function refusalOf({ code, message, details }: RowReply): Refusal {
  if (code === 'RECORD_LOCKED') return { code, field: null, message: lockedLead(message) }
  if (code === 'NO_PERMISSION') return { code, field: null, message: othersLead(message) }
  const errors = details.errors ?? []
  const several = errors.map((each) => each.message).filter((text) => text !== '')
  if (several.length > 0) return { code, field: errors[0]?.details.api_name ?? null, message: several.join('; ') }
  if (code === 'MANDATORY_NOT_FOUND' && details.api_name) {
    const { api_name: name } = details
    return { code, field: name, message: `${message || 'required field not found'}. ${required(name, name)}` }
  }
  const wanted = details.expected_data_type ? `, ${details.expected_data_type} is expected` : ''
  const longest = typeof details.maximum_length === 'number' ? `, at most ${details.maximum_length} characters` : ''
  return { code, field: details.api_name ?? null, message: `${message || 'Zoho gave no reason'}${wanted}${longest}` }
}

export function refusedCall(act: string, status: number, body: unknown): AppError {
  const refusal = refusalOfCall(body)
  const reason = refusal ? `${refusal.code}: ${refusal.message}` : 'no reason given'
  return new AppError(
    'DESTINATION_INVALID',
    `Zoho refused to ${act} (${status} ${reason})${refusal?.code === 'INVALID_MODULE' ? `. ${showModule}` : ''}`,
  )
}
