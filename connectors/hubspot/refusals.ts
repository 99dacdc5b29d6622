/**
 * Converts HubSpot's error bodies to refusals and AppErrors. The details of a validation error are JSON inside the
 * text of `message`; newer endpoints also send them as `errors[]`. Every member is optional, so each place is tried
 * in turn.
 */
import { z } from 'zod'
import { AppError } from '../../src/errors.ts'
import { parseJson } from '../answers.ts'
import { type Refusal, waitMsMax } from '../contract.ts'
import type { CrmFault } from './replies.ts'

const ValueFaults = z.array(
  z.object({ error: z.string().optional(), name: z.string().optional(), message: z.string().optional() }),
)

/**
 * The refusal to show for one row: of several faults, the code and field of the first and the messages of all. An
 * empty text counts as missing.
 */
export function refusalOf(fault: CrmFault): Refusal {
  const values = valueFaults(fault.message ?? '')
  const [value] = values
  const [detail] = fault.errors ?? []
  return {
    code: value?.error || detail?.code || fault.category || 'REFUSED',
    field: value?.name ?? first(detail?.context?.['propertyName']) ?? detail?.in ?? null,
    message: messagesOf(values) || messagesOf(fault.errors ?? []) || fault.message || 'HubSpot gave no reason',
  }
}

const messagesOf = (faults: readonly { readonly message?: string | null | undefined }[]): string =>
  [...new Set(faults.flatMap(({ message }) => message || []))].join('; ')

/** The rejected values in a message like `Property values were not valid: [{…}]`. */
function valueFaults(message: string): z.output<typeof ValueFaults> {
  const from = message.indexOf('[')
  const parsed = ValueFaults.safeParse(
    from < 0 ? undefined : parseJson(message.slice(from, message.lastIndexOf(']') + 1)),
  )
  return parsed.data ?? []
}

function first(value: string | readonly string[] | undefined): string | undefined {
  return typeof value === 'string' ? value.replace(/^\[|\]$/g, '') || undefined : value?.[0]
}

/** Another record has a value that must be unique. */
export function isConflict(fault: CrmFault, status: number | null): boolean {
  return status === 409 || fault.category === 'CONFLICT' || fault.category === 'OBJECT_ALREADY_EXISTS'
}

export function isTransient(fault: CrmFault): boolean {
  return fault.category === 'RATE_LIMITS' || fault.category === 'INTERNAL_ERROR'
}

/** `LIMIT_EXCEEDED`, `CrmLimits.LIMIT_EXCEEDED`; a limit of associations only concerns its record. */
const limitCode = /(?<!ASSOCIATION_)LIMIT_(?:EXCEEDED|REACHED)$/
const limitWords = /\b(?:reached|exceeded|over)\b[^.]*\blimit\b[^.]*\b(?:records|contacts|companies|objects)\b/i

/**
 * The subscription allows no more records. HubSpot documents that such limits exist, but of the reply only the code
 * among the errors of imports, so the message is checked as well. A limit that names a property concerns its value.
 * @returns null for any other fault.
 */
export function fullness(fault: CrmFault): Refusal | null {
  const { field, message } = refusalOf(fault)
  if (field !== null || isTransient(fault)) return null
  const codes = [
    fault.category,
    fault.subCategory,
    ...(fault.errors ?? []).flatMap((each) => [each.code, each.subCategory]),
  ]
  const code = codes.find((word) => limitCode.test(word ?? ''))
  if (!code && !limitWords.test(message)) return null
  return { code: code?.split('.').at(-1) ?? 'LIMIT_EXCEEDED', field, message }
}

/** HubSpot's code for a property that the account does not have. */
export const missingProperty = 'PROPERTY_DOESNT_EXIST'

/** Properties that the account does not have: every row with one of them is refused for the same reason. */
export function missingProperties(fault: CrmFault): ReadonlySet<string> {
  const named = [
    ...valueFaults(fault.message ?? '').map(({ error, name }) => ({ code: error, name })),
    ...(fault.errors ?? []).map(({ code, context }) => ({ code, name: first(context?.['propertyName']) })),
  ]
  return new Set(named.flatMap(({ code, name }) => (code === missingProperty && name ? [name] : [])))
}

export interface QuotaRefusal {
  readonly policy: 'DAILY' | 'TEN_SECONDLY_ROLLING' | 'SECONDLY'
  readonly afterMs: number
}

const waitMs = { SECONDLY: 1_000, TEN_SECONDLY_ROLLING: 10_000, DAILY: 60 * 60_000 } as const

/**
 * A 429 has a `policyName` or, from some endpoints, only a message. The daily quota resets at midnight in the
 * account's time zone, which no header reports; retrying hourly is at most an hour late.
 */
export function quotaRefusal(fault: CrmFault, retryAfter: string | undefined): QuotaRefusal {
  const hint = `${fault.policyName ?? ''} ${fault.message ?? ''}`.toUpperCase()
  const policy = hint.includes('DAILY')
    ? 'DAILY'
    : hint.includes('TEN_SECONDLY')
      ? 'TEN_SECONDLY_ROLLING'
      : hint.includes('SECONDLY')
        ? 'SECONDLY'
        : 'TEN_SECONDLY_ROLLING'
  return { policy, afterMs: retryAfterMs(retryAfter) ?? waitMs[policy] }
}

/** Bounded, so that no header blocks an account for longer than an hour. */
export function retryAfterMs(header: string | undefined): number | undefined {
  const seconds = header === undefined || header.trim() === '' ? Number.NaN : Number(header)
  return seconds >= 0 ? Math.min(Math.ceil(seconds * 1000), waitMsMax) : undefined
}

/** Explains a requested wait that exceeds the longest one that is honoured; empty otherwise. */
export function excessiveWait(header: string | undefined): string {
  const seconds = Number(header ?? '')
  return seconds * 1000 > waitMsMax ? `; it asks for a wait of ${seconds} seconds and is tried again after an hour` : ''
}

/** The permissions that a 403 names as missing; a person must grant them. */
export function missingScopes(fault: CrmFault): string {
  const named = [fault, ...(fault.errors ?? [])].flatMap(({ context }) =>
    ['missingScopes', 'requiredGranularScopes'].flatMap((key) => context?.[key] ?? []),
  )
  return named.length > 0 ? named.join(', ') : (fault.message ?? 'HubSpot did not say which')
}

/** For a refusal of a whole call that has no rows of its own. */
export function refusedCall(act: string, status: number, fault: CrmFault): AppError {
  const { code, message } = refusalOf(fault)
  return new AppError('DESTINATION_INVALID', `HubSpot refused to ${act} (${status} ${code}): ${message}`)
}
