/** The error of a call that met a limit, with the code from the table of limits. */
import { AppError, type AppErrorOptions, type ErrorCode } from '../errors.ts'
import { type LimitName, limits } from './limits.ts'

/** Limits that refuse with an error of the API. */
export type RefusingLimit = {
  [Name in LimitName]: (typeof limits)[Name]['answer'] extends { readonly code: ErrorCode } ? Name : never
}[LimitName]

export function refusedBy(
  limit: RefusingLimit,
  message: string,
  options: Pick<AppErrorOptions, 'extra' | 'retryAfterSeconds' | 'cause'> = {},
): AppError {
  return new AppError(limits[limit].answer.code, message, options)
}
