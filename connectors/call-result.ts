/** What became of a call to a CRM, told apart by what the CRM may have written. */
import { AppError } from '../src/errors.ts'

export type CallResult<Answer> =
  | Answer
  /** Sent, and no answer came: the CRM may have done it. */
  | { readonly kind: 'cut'; readonly message: string }
  | Refused

/** Nothing was written. */
export interface Refused {
  readonly kind: 'refused'
  readonly error: AppError
}

export function refused(
  code: 'CRM_UNAVAILABLE' | 'CRM_UNAUTHORIZED',
  message: string,
  retry: AppError['retry'],
): Refused {
  return { kind: 'refused', error: new AppError(code, message, { retry }) }
}

export const stopped = (): Refused =>
  refused('CRM_UNAVAILABLE', 'The work was stopped before the call was sent', 'later')
