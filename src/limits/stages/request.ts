/** Limits on a request before its credentials are read. */
import { httpBounds, sheddingRetrySeconds } from '../../../config/http-bounds.ts'
import { seconds } from '../figures.ts'
import { httpFile, type Limits } from './limit.ts'

export const requestLimits = {
  pipelined: {
    what: 'Requests of one connection that wait for their answers',
    of: 'connection',
    held: 'gate',
    figures: () => `${httpBounds.pipelinedMax}`,
    answer: { code: 'RATE_LIMITED', retryAfter: '1' },
    setBy: httpFile,
  },
  load: {
    what: 'Lateness of the event loop; details, logins and probes are still served',
    of: 'process',
    held: 'server',
    figures: () => `${seconds(httpBounds.loopDelayMsMax)} for ${seconds(httpBounds.loopSampleMs)}`,
    answer: { code: 'SERVICE_BUSY', retryAfter: `${sheddingRetrySeconds}` },
    setBy: httpFile,
  },
} as const satisfies Limits
