/** Work that failed with a result: its document is printed with the error in it, and the command exits with 1. */
import type { ErrorCode } from '../errors.ts'
import type { Output } from './output.ts'

export interface Failure {
  readonly code: ErrorCode | (string & {})
  readonly message: string
}

/** The document of the command has been printed already. */
export class WorkFailed extends Error {}

/**
 * @throws WorkFailed once the value is printed: as a document with its `error`, or as text with the message on standard
 * error.
 */
export function failWith<T extends object>(
  out: Pick<Output, 'answer'>,
  value: T,
  text: (value: T) => string,
  { code, message }: Failure,
): never {
  out.answer({ ...value, error: { code, message } }, () => text(value))
  throw new WorkFailed(message)
}
