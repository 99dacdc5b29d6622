/** Interprets Salesforce's replies: a row's result becomes an outcome, the failure of a whole call an AppError. */
import { AppError } from '../../src/errors.ts'
import type { PushOutcome, Refusal } from '../contract.ts'
import { isWantOfRoom, limitReached, withoutRoom } from '../deferrals.ts'
import { afterRefusedCall, afterRefusedSignIn, makeRoom, whenCallsAreUsedUp, withRowAdvice } from './sign-in-advice.ts'

/** One element of a Collections reply; its members are not trusted. */
export interface RowResult {
  readonly id?: unknown
  readonly success?: unknown
  readonly created?: unknown
  readonly errors?: unknown
}

const minuteMs = 60_000
/** Transient refusals, with the wait before the next attempt. */
const passing: Readonly<Record<string, number>> = {
  UNABLE_TO_LOCK_ROW: 5_000,
  // The record is in an approval process and cannot be changed until that ends.
  ENTITY_IS_LOCKED: 15 * minuteMs,
  // Converted between our read and our write; the next attempt finds the Contact.
  CANNOT_UPDATE_CONVERTED_LEAD: 2_000,
  SERVER_UNAVAILABLE: minuteMs,
  REQUEST_RUNNING_TOO_LONG: minuteMs,
  CONCURRENT_REQUESTS_LIMIT_EXCEEDED: minuteMs,
}
/** Refusals that apply to every lead until the org's limit is raised or space is freed. */
const blocking = new Set([
  ...['STORAGE_LIMIT_EXCEEDED', 'LICENSE_LIMIT_EXCEEDED', 'LIMIT_EXCEEDED', 'EXCEEDED_QUOTA'],
  ...['ORG_LOCKED', 'TRIAL_EXPIRED'],
])
/** Refusals of the whole call that sending fewer rows would not fix. */
const settingsFaults = new Set([
  ...['INVALID_FIELD', 'INVALID_TYPE', 'NOT_FOUND', 'INSUFFICIENT_ACCESS'],
  ...['API_NOT_ENABLED', 'API_DISABLED_FOR_ORG', 'API_CURRENTLY_DISABLED'],
  ...['UNSUPPORTED_API_VERSION', 'ERROR_HTTP_410'],
])
const signInFaults = new Set(['INVALID_SESSION_ID', 'INVALID_AUTH_HEADER', 'ERROR_HTTP_401'])

/**
 * Code of the org hit a governor limit of the transaction, which all rows of the write share: with fewer rows the
 * same ones may pass.
 */
export const isTooMany = ({ message }: Pick<Refusal, 'message'>): boolean =>
  /System\.LimitException|Too many (SOQL|DML|query|callouts|queueable)|Apex (CPU time|heap size)/i.test(message)

/** Refusals that a change of the object's fields, lists, lengths or permissions would explain, or of its users. */
const ofFields = new Set([
  ...['INVALID_FIELD_FOR_INSERT_UPDATE', 'INVALID_FIELD', 'STRING_TOO_LONG', 'INVALID_TYPE_ON_FIELD_IN_RECORD'],
  ...['INVALID_OR_NULL_FOR_RESTRICTED_PICKLIST', 'FIELD_INTEGRITY_EXCEPTION', 'JSON_PARSER_ERROR'],
  ...['INACTIVE_OWNER_OR_USER', 'INVALID_CROSS_REFERENCE_KEY'],
])

export const mayBeOfFields = ({ code }: Pick<Refusal, 'code'>): boolean => ofFields.has(code)

export const isFull = (refusal: Pick<Refusal, 'code' | 'field'>): boolean => isWantOfRoom(blocking, refusal)

export function errorCodeOf(error: unknown): string {
  const code = (error as { errorCode?: unknown } | null)?.errorCode
  return typeof code === 'string' ? code : ''
}

export function isSessionExpired(error: unknown): boolean {
  return signInFaults.has(errorCodeOf(error))
}

/** @returns the AppError for a failed call; null if single rows may be at fault. */
export function failureOfCall(error: unknown): AppError | null {
  if (error instanceof AppError) return error
  const code = errorCodeOf(error)
  const message = error instanceof Error ? error.message : String(error)
  if (code === 'REQUEST_LIMIT_EXCEEDED') {
    const ofTheDay = /TotalRequests/.test(message)
    const words = `Salesforce refuses calls for now: ${message}${ofTheDay ? ` ${whenCallsAreUsedUp}` : ''}`
    // The daily allocation is counted over 24 rolling hours, so some of it is available again within 15 minutes.
    const retry = { afterMs: ofTheDay ? 15 * minuteMs : 30_000, isQuota: true } as const
    return new AppError('CRM_UNAVAILABLE', words, { retry, cause: error })
  }
  if (isSessionExpired(error)) {
    return new AppError('CRM_UNAUTHORIZED', `Salesforce refuses the session: ${message}`, { cause: error })
  }
  if (isFull({ code, field: null })) return limitReached({ code, message }, makeRoom(code), error)
  if (settingsFaults.has(code)) {
    return new AppError(
      'DESTINATION_INVALID',
      `Salesforce refuses the call: ${code}: ${message}${afterRefusedCall(code)}`,
      {
        cause: error,
      },
    )
  }
  return null
}

/** For a call that writes no rows, so that none can be at fault. */
export function failureOfRead(error: unknown): unknown {
  const code = errorCodeOf(error)
  if (error instanceof AppError || code === '') return error
  const words = `${code}: ${error instanceof Error ? error.message : String(error)}`
  return new AppError('CRM_UNAVAILABLE', `Salesforce refused to answer: ${words}`, { retry: 'later', cause: error })
}

/** Sign-in errors that may not occur a moment later. */
const passingSignIns: ReadonlySet<string> = new Set(['unknown_error', 'server_error', 'temporarily_unavailable'])

/** A token reply of 4xx: jsforce names the error after OAuth's `error` member. */
export function failureOfSignIn(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof AppError) return error
  const name: unknown = error.name
  if (typeof name !== 'string' || name.startsWith('ERROR_HTTP_')) {
    return new AppError('CRM_UNAVAILABLE', 'Salesforce answered the sign-in with something else than a token', {
      retry: 'later',
      cause: error,
    })
  }
  // An error of the network, the database or the program has a code or the name of its class.
  if (!Object.hasOwn(error, 'name') || 'code' in error) return error
  if (passingSignIns.has(name)) {
    const message = `Salesforce could not sign in for now: ${name}: ${error.message}`
    return new AppError('CRM_UNAVAILABLE', message, { retry: 'later', cause: error })
  }
  if (/rate exceeded/i.test(error.message)) {
    return new AppError('CRM_UNAVAILABLE', `Salesforce limits sign-ins: ${error.message}`, {
      retry: { afterMs: minuteMs, isQuota: true },
      cause: error,
    })
  }
  const words = `${error.name}: ${error.message}`
  const advice = afterRefusedSignIn(words)
  return new AppError('CRM_UNAUTHORIZED', `Salesforce refuses the sign-in: ${words}${advice}`, { cause: error })
}

/** The refusal of the n-th part of a composite call. @returns null if it succeeded. */
export function refusalOfSubrequest(reply: unknown, n: number): string | null {
  const list = (reply as { compositeResponse?: unknown } | null)?.compositeResponse
  const part = (Array.isArray(list) ? list[n] : null) as { httpStatusCode?: unknown; body?: unknown } | null
  if (part?.httpStatusCode === 200 || part?.httpStatusCode === 201) return null
  const first: unknown = Array.isArray(part?.body) ? part.body[0] : null
  return errorCodeOf(first) || 'NO_ANSWER'
}

/** @param values what the CRM holds once the row is accepted. */
export function outcomeOf(
  result: RowResult | undefined,
  values: Readonly<Record<string, unknown>>,
  externalIdField: string,
): PushOutcome {
  if (result?.success === true && typeof result.id === 'string') {
    return { status: result.created === true ? 'created' : 'updated', crmId: result.id, values }
  }
  const refusal = refusalOf(result?.errors)
  if (result?.success !== false || refusal === null) {
    return { status: 'unknown', message: 'the reply holds no result for this lead' }
  }
  if (isFull(refusal)) return withoutRoom(refusal, makeRoom(refusal.code))
  // Two concurrent upserts of one external id: one wins, the other sees this. The next attempt finds the record.
  const raced = refusal.code === 'DUPLICATE_VALUE' && refusal.message.includes(externalIdField)
  const afterMs = raced ? 2_000 : passingMs(refusal)
  if (afterMs !== undefined) return { status: 'deferred', afterMs, ...refusal }
  return { status: 'rejected', ...refusal, message: withRowAdvice(refusal) }
}

/** True for a transient refusal of one row. */
export const isPassing = (refusal: Refusal): boolean => passingMs(refusal) !== undefined

/** If the org's own code could not lock another record, only the message says so. */
function passingMs({ code, message }: Refusal): number | undefined {
  return passing[code] ?? (message.includes('UNABLE_TO_LOCK_ROW') ? passing['UNABLE_TO_LOCK_ROW'] : undefined)
}

/** Of several errors, the code and field of the first and the messages of all. */
export function refusalOf(errors: unknown): Refusal | null {
  const all: readonly unknown[] = Array.isArray(errors) ? errors : []
  const [first] = all
  if (typeof first !== 'object' || first === null) return null
  const { statusCode, fields } = first as { statusCode?: unknown; fields?: unknown }
  const field: unknown = Array.isArray(fields) ? fields[0] : null
  const messages = all.flatMap((each) => {
    const message: unknown = (each as { message?: unknown } | null)?.message
    return typeof message === 'string' ? [message] : []
  })
  return {
    code: typeof statusCode === 'string' ? statusCode : 'UNKNOWN',
    field: typeof field === 'string' ? field : null,
    message: messages.length > 0 ? [...new Set(messages)].join('; ') : 'Salesforce gave no reason',
  }
}
