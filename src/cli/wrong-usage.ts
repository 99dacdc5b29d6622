/** An invalid command line, or one that lacks an argument: the exit code is 2. */
import type { ErrorCode } from '../errors.ts'

export class WrongUsage extends Error {
  readonly code: ErrorCode

  constructor(message: string, code: ErrorCode = 'BAD_REQUEST') {
    super(message)
    this.code = code
  }
}
