/**
 * What a call takes of the event loop: processor time of this thread between its beginning and its answer, with nothing else under
 * way, so that a machine with other work changes it little.
 */

import { threadMs } from '../../src/domain/thread-time.ts'

/** No call may keep everybody else waiting for longer. */
export const loopMsMax = 50
const triesMax = 12
/** To parse a mebibyte of JSON. A machine that takes longer for it takes longer for all else, and its times count as so much less. */
const parseMs = 13
const mebibyte = JSON.stringify(Array.from({ length: 35_000 }, (_, n) => ({ [`member${n}`]: `value ${n}` })))

export interface Timed<T> {
  readonly reply: T
  readonly loopMs: number
}

/** One that takes too long is asked again: compiling and collecting garbage are not its own. The first answer, and the least time. */
export async function timedOnLoop<T>(call: () => Promise<T>): Promise<Timed<T>> {
  const { reply, loopMs } = await once(call)
  let least = loopMs
  for (let tries = 1; least > loopMsMax && tries < triesMax; tries++) least = Math.min(least, (await once(call)).loopMs)
  return { reply, loopMs: Math.round(least > loopMsMax ? least / slowness() : least) }
}

/** How many times as long as `parseMs` this machine takes at its best; 1 where it takes no longer. */
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
