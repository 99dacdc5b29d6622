/** Explains why a transfer ended, with the limit that was reached and its variable. */
import type { FetchBounds } from '../../../../config/input-bounds.ts'
import { codeOf } from '../../../domain/fault-code.ts'

/** @param far how much had arrived, for a fault in the middle of the file. */
export function transferFault(cause: unknown, bounds: FetchBounds, far: string): string {
  const { silenceMsMax, connectMsMax } = bounds
  switch (codeOf(cause)) {
    case 'UND_ERR_HEADERS_TIMEOUT':
      return `the server took the request and was silent for ${silenceMsMax / 1000} s (PANJI_FETCH_SILENCE_SECONDS); look whether it is well, or allow it more`
    case 'UND_ERR_BODY_TIMEOUT':
      return `the server stopped in the middle, ${far}, and was silent for ${silenceMsMax / 1000} s (PANJI_FETCH_SILENCE_SECONDS)`
    case 'UND_ERR_CONNECT_TIMEOUT':
      return `no connection within ${connectMsMax / 1000} s`
    case 'UND_ERR_SOCKET':
    case 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH':
    case 'ECONNRESET':
    case 'UND_ERR_ABORTED':
      return `the connection was cut, ${far}`
    default:
      return cause instanceof Error ? cause.message : String(cause)
  }
}

export const progressText = (size: number, total: number | null): string =>
  size === 0 && total === null ? 'before the first byte' : `after ${size} of ${total ?? 'unknown many'} bytes`
