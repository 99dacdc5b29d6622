/**
 * HubSpot's error bodies in, our refusals and AppErrors out. The detail of a validation error is JSON inside the text
 * of `message`; newer endpoints send it as `errors[]` too. Every member is optional, so each is looked for in turn.
 */
import { z } from 'zod'
import { AppError } from '../../src/errors.ts'
import { parseJson } from '../answers.ts'
import { type Refusal, waitMsMax } from '../contract.ts'
import type { CrmFault } from './replies.ts'

const ValueFaults = z.array(
  z.object({ error: z.string().optional(), name: z.string().optional(), message: z.string().optional() }),
)

/** What a person reads about one refused row. An empty text says as little as a missing one. */
export function refusalOf(fault: CrmFault): Refusal {
  const [value] = valueFaults(fault.message ?? '')
  const [detail] = fault.errors ?? []
  return {
    code: value?.error || detail?.code || fault.category || 'REFUSED',
    field: value?.name ?? first(detail?.context?.['propertyName']) ?? detail?.in ?? null,
    message: value?.message || detail?.message || fault.message || 'HubSpot gave no reason',
  }
}

/** The refused values that a message of the kind `Property values were not valid: [{…}]` lists. */
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

/** Another record holds a value that must be unique. */
export function isConflict(fault: CrmFault, status: number | null): boolean {
  return status === 409 || fault.category === 'CONFLICT' || fault.category === 'OBJECT_ALREADY_EXISTS'
}

export function isTransient(fault: CrmFault): boolean {
  return fault.category === 'RATE_LIMITS' || fault.category === 'INTERNAL_ERROR'
}

/** `LIMIT_EXCEEDED`, `CrmLimits.LIMIT_EXCEEDED`; how many associations one record may have is that record's matter. */
const limitCode = /(?<!ASSOCIATION_)LIMIT_(?:EXCEEDED|REACHED)$/
const limitWords = /\b(?:reached|exceeded|over)\b[^.]*\blimit\b[^.]*\b(?:records|contacts|companies|objects)\b/i

/**
 * The subscription allows no more records. HubSpot documents that there are such limits, and of what an answer says then only
 * the code among the errors of imports; so the sentence is read as well. A limit that names a property is one of its value.
 * @returns null where the fault lies elsewhere.
 */
export function fullness(fault: CrmFault): Refusal | null {
  const { field, message } = refusalOf(fault)
  if (field !== null || isTransient(fault)) return null
  const told = [
    fault.category,
    fault.subCategory,
    ...(fault.errors ?? []).flatMap((each) => [each.code, each.subCategory]),
  ]
  const code = told.find((word) => limitCode.test(word ?? ''))
  if (!code && !limitWords.test(message)) return null
  return { code: code?.split('.').at(-1) ?? 'LIMIT_EXCEEDED', field, message }
}

/** HubSpot's own word for a property that the account does not have. */
export const missingProperty = 'PROPERTY_DOESNT_EXIST'

/** Properties that the account does not have: every row that carries one is refused for the same reason. */
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
 * A 429 comes with `policyName` or, from some endpoints, only with a sentence. The daily quota returns at midnight in
 * the account's time zone, which no header names; an hour keeps the wait within an hour of the truth.
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

/** Bounded: no header shuts an account for longer than an hour. */
export function retryAfterMs(header: string | undefined): number | undefined {
  const seconds = header === undefined || header.trim() === '' ? Number.NaN : Number(header)
  return seconds >= 0 ? Math.min(Math.ceil(seconds * 1000), waitMsMax) : undefined
}

/** For whoever reads why nothing is delivered: a wait that is longer than the longest that is kept. Empty for any other. */
export function excessiveWait(header: string | undefined): string {
  const seconds = Number(header ?? '')
  return seconds * 1000 > waitMsMax ? `; it asks for a wait of ${seconds} seconds and is tried again after an hour` : ''
}

/** A 403 names what the app may not do; a person must grant it. */
export function missingScopes(fault: CrmFault): string {
  const named = [fault, ...(fault.errors ?? [])].flatMap(({ context }) =>
    ['missingScopes', 'requiredGranularScopes'].flatMap((key) => context?.[key] ?? []),
  )
  return named.length > 0 ? named.join(', ') : (fault.message ?? 'HubSpot did not say which')
}

/** For answers that refuse a whole call which has no rows of its own. */
export function refusedCall(act: string, status: number, fault: CrmFault): AppError {
  const { code, message } = refusalOf(fault)
  return new AppError('DESTINATION_INVALID', `HubSpot refused to ${act} (${status} ${code}): ${message}`)
}
