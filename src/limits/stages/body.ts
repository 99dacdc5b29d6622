/** Limits on the body of a call of an account, and on what it may store. */
import { bodyBounds, bodyBytesMax, bodyLoopBounds, httpBounds, largeBodies } from '../../../config/http-bounds.ts'
import { budgets, writtenBytesMin } from '../../../config/plans.ts'
import { bytes, each, perPlan, seconds } from '../figures.ts'
import { httpFile, type Limits, plansFile, untilBucket } from './limit.ts'

export const bodyLimits = {
  bodyBytes: {
    what: `Bytes of bodies; one that blocks the event loop for longer than ${bodyLoopBounds.freeMs} ms counts by its time`,
    of: 'account',
    held: 'bucket',
    figures: () =>
      `${bytes(bodyBounds.atOnce)} at once, ${bytes(bodyBounds.perSecond)} or ${bodyLoopBounds.msPerSecond} ms a second`,
    answer: { code: 'RATE_LIMITED', retryAfter: untilBucket },
    setBy: httpFile,
  },
  largeBodies: {
    what: `Bodies over ${bytes(largeBodies.smallBytesMax)} at the same time`,
    of: 'account',
    held: 'gate',
    figures: () => `${largeBodies.atOnce}, ${largeBodies.waiting} waiting`,
    answer: { code: 'TOO_MANY_CONCURRENT', retryAfter: '1' },
    setBy: httpFile,
  },
  bodySize: {
    what: 'A body, except the snapshot that an operator uploads',
    of: 'request',
    held: 'server',
    figures: () => bytes(bodyBytesMax),
    answer: { code: 'PAYLOAD_TOO_LARGE' },
    setBy: httpFile,
  },
  bodyTime: {
    what: 'Time for a body; for the snapshot that an operator uploads',
    of: 'request',
    held: 'server',
    figures: () => `${seconds(httpBounds.requestMs)}; ${seconds(httpBounds.uploadMs)}`,
    answer: { instead: '408, and closed' },
    setBy: httpFile,
  },
  writtenBytes: {
    what: `Bytes of requests that store something, each at least ${bytes(writtenBytesMin)}, a day (UTC)`,
    of: 'account',
    held: 'counter',
    figures: () => perPlan(budgets, ({ writtenBytes }) => each([writtenBytes])),
    answer: { code: 'RATE_LIMITED', retryAfter: 'until midnight UTC' },
    setBy: plansFile,
  },
  keptAnswers: {
    what: 'Responses stored under an Idempotency-Key a day (UTC)',
    of: 'account',
    held: 'counter',
    figures: () => perPlan(budgets, ({ keptAnswers }) => each([keptAnswers])),
    answer: { code: 'RATE_LIMITED', retryAfter: 'until midnight UTC' },
    setBy: plansFile,
  },
} as const satisfies Limits
