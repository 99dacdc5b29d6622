/**
 * The event loop time of a call: processor time of this thread between request and answer, with nothing else running,
 * so that other work of the machine changes it little.
 */

import { threadMs } from '../../src/domain/thread-time.ts'

/** No call may block the event loop for longer. */
export const loopMsMax = 50
const triesMax = 12
/** The time to parse a mebibyte of JSON. On a slower machine, all times are scaled down accordingly. */
const parseMs = 13
const mebibyte = JSON.stringify(Array.from({ length: 35_000 }, (_, n) => ({ [`member${n}`]: `value ${n}` })))

export interface Timed<T> {
  readonly reply: T
  readonly loopMs: number
}

/**
 * A slow one is measured again, since compilation and garbage collection are not its own. Returns the first answer and
 * the shortest time.
 */
export async function timedOnLoop<T>(call: () => Promise<T>): Promise<Timed<T>> {
  const { reply, loopMs } = await once(call)
  let least = loopMs
  for (let tries = 1; least > loopMsMax && tries < triesMax; tries++) least = Math.min(least, (await once(call)).loopMs)
  return { reply, loopMs: Math.round(least > loopMsMax ? least / slowness() : least) }
}

/** How many times as long as `parseMs` this machine takes at best; at least 1. */
function slowness(): number {
  const times = Array.from({ length: 5 }, () => {
    const before = threadMs()
    JSON.parse(mebibyte)
    return threadMs() - before
  })
  return Math.max(1, Math.min(...times) / parseMs)
}

async function once<T>(call: () => Promise<T>): Promise<Timed<T>> {
  const before = threadMs()
  const reply = await call()
  return { reply, loopMs: threadMs() - before }
}
