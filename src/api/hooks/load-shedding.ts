/**
 * While the event loop is persistently late, calls that can wait get a 503 with Retry-After, so that those that cannot
 * are answered at all: health checks, logins, and details, which customers pay for.
 */
import underPressure from '@fastify/under-pressure'
import type { FastifyInstance } from 'fastify'
import { type HttpBounds, sheddingRetrySeconds } from '../../../config/http-bounds.ts'
import { refusedBy } from '../../limits/refused-by.ts'

export async function shedLoad(app: FastifyInstance, bounds: HttpBounds): Promise<void> {
  const lasts = lastingFor(bounds.loopSampleMs)
  await app.register(underPressure, {
    maxEventLoopDelay: bounds.loopDelayMsMax,
    sampleInterval: bounds.loopSampleMs,
    pressureHandler: async ({ routeOptions }) => {
      const isLasting = lasts(performance.now())
      if (!isLasting || routeOptions.config.exempt === true) return
      throw refusedBy('load', 'The server is overloaded. Try again shortly.', {
        retryAfterSeconds: sheddingRetrySeconds,
      })
    },
  })
}

/** One bad sample, such as at startup, sheds nothing: lateness counts once it continues into the next. */
function lastingFor(sampleMs: number): (nowMs: number) => boolean {
  let sinceMs = 0
  let lastMs = Number.NEGATIVE_INFINITY
  return (nowMs) => {
    if (nowMs - lastMs > 2 * sampleMs) sinceMs = nowMs
    lastMs = nowMs
    return nowMs - sinceMs >= sampleMs
  }
}
