/** The result of a call to a CRM, distinguished by what the CRM may have written. */
import { AppError } from '../src/errors.ts'

export type CallResult<Answer> =
  | Answer
  /** Sent without an answer: the CRM may have carried it out. */
  | { readonly kind: 'cut'; readonly message: string }
  | Refused

/** Nothing was written. */
export interface Refused {
  readonly kind: 'refused'
  readonly error: AppError
}

/** For calls that write nothing or can be repeated. @throws AppError for anything but an answer. */
export function answerIn<Answer extends { readonly kind: 'answer' }>(result: CallResult<Answer>, whom: string): Answer {
  if (result.kind === 'refused') throw result.error
  if (result.kind === 'answer') return result
  throw new AppError('CRM_UNAVAILABLE', `${whom} did not answer: ${result.message}`, { retry: 'later' })
}

/** @returns null if this app has no permission. @throws AppError for anything else but an answer. */
export function answerIfAllowed<Answer extends { readonly kind: 'answer' }>(
  result: CallResult<Answer>,
  whom: string,
): Answer | null {
  const mayNot = result.kind === 'refused' && result.error.code === 'CRM_UNAUTHORIZED'
  return mayNot ? null : answerIn(result, whom)
}

export function refused(
  code: 'CRM_UNAVAILABLE' | 'CRM_UNAUTHORIZED',
  message: string,
  retry: AppError['retry'],
): Refused {
  return { kind: 'refused', error: new AppError(code, message, { retry }) }
}

/**
 * For calls that change nothing. @returns the messages about missing permissions. @throws AppError for any other
 * refusal.
 */
export async function rightsMissing(
  calls: readonly (() => Promise<CallResult<{ readonly kind: 'answer' }>>)[],
): Promise<readonly string[]> {
  const missing = new Set<string>()
  for (const call of calls) {
    const result = await call()
    if (result.kind !== 'refused') continue
    if (result.error.code !== 'CRM_UNAUTHORIZED') throw result.error
    missing.add(result.error.message)
  }
  return [...missing]
}

export const stopped = (): Refused =>
  refused('CRM_UNAVAILABLE', 'The work was stopped before the call was sent', 'later')
