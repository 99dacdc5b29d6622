/**
 * Attacker: free accounts that each keep 24 searches of 130 CONTAINS terms in flight, all with different words, so that
 * no total is cached; or one of them that sends the worst bodies of every operation, one after the other, on five
 * connections. Answers are counted by status; none of them ends the bench.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { Pool } from 'undici'
import { exampleIds } from '../../src/api/example-records.ts'
import { type ApiOperation, operationsIn } from '../../test/support/openapi.ts'
import { worstBodies } from '../../test/support/worst-bodies.ts'
import type { StartPart } from '../own-process.ts'
import type { TargetServer } from '../server-thread.ts'

export const hostileAccounts = 5
const searchesEach = 24
const senders = 5
const termsEach = 130
/** A refused search is sent again after this time, whatever Retry-After says. */
const insistAfterMs = 250

export interface HostileData extends TargetServer {
  readonly act: 'searches' | 'bodies'
}

/** The callers after the first are hostile. Reported at the end: the answers by status, of which 5xx would be a bug. */
export const startPart: StartPart<HostileData> = async ({ origin, callers, act }) => {
  const pool = new Pool(origin, {
    connections: hostileAccounts * searchesEach,
    bodyTimeout: 60_000,
    headersTimeout: 60_000,
  })
  const answers: Record<string, number> = {}
  let stopped = false
  let searches = 0
  const search = async (caller: Readonly<Record<string, string>>): Promise<number | 'none'> => {
    const salt = ++searches
    const terms = Array.from({ length: termsEach }, (_, n) => `company CONTAINS 'q${salt}z${n}'`)
    try {
      const reply = await pool.request({
        method: 'POST',
        path: '/api/screener/search',
        headers: { ...caller, 'content-type': 'application/json' },
        body: JSON.stringify({ query: terms.join(' OR '), type: 'company' }),
      })
      await reply.body.dump()
      return reply.statusCode
    } catch {
      return 'none'
    }
  }
  const bodies = act === 'bodies' ? await bodiesOf(origin) : []
  /** Cycles through all operations; each sender starts at a different one. */
  const sendBodies = async (caller: Readonly<Record<string, string>>, n: number): Promise<void> => {
    for (let at = Math.floor((n / senders) * bodies.length); !stopped; at++) {
      const { method, path, text } = bodies[at % bodies.length] ?? { method: 'GET', path: '/', text: '' }
      const status = await pool
        .request({ method, path, headers: { ...caller, 'content-type': 'application/json' }, body: text })
        .then(async ({ statusCode, body }) => {
          await body.dump()
          return statusCode
        })
        .catch(() => 'none' as const)
      answers[status] = (answers[status] ?? 0) + 1
    }
  }
  const insist = async (caller: Readonly<Record<string, string>>): Promise<void> => {
    while (!stopped) {
      const status = await search(caller)
      if (stopped) return
      answers[status] = (answers[status] ?? 0) + 1
      if (status !== 200) await delay(insistAfterMs)
    }
  }
  let insisting: Promise<void>[] = []
  return {
    setup: null,
    begin() {
      const hostile = callers.slice(1, 1 + hostileAccounts)
      insisting =
        act === 'searches'
          ? hostile.flatMap((caller) => Array.from({ length: searchesEach }, () => insist(caller)))
          : hostile.slice(-1).flatMap((caller) => Array.from({ length: senders }, (_, n) => sendBodies(caller, n)))
    },
    // At once, whatever is still in flight.
    async stop() {
      stopped = true
      await pool.destroy()
      await Promise.all(insisting)
      return answers
    },
  }
}

async function bodiesOf(origin: string) {
  const document = (await (await fetch(`${origin}/openapi.json`)).json()) as object
  return operationsIn(document).flatMap((operation) => {
    const schema = operation.requestBody?.content['application/json']?.schema
    const { method } = operation
    return schema ? worstBodies(schema, document).map(({ text }) => ({ method, path: pathOf(operation), text })) : []
  })
}

/** With well-formed ids, or the path would be refused before the body is parsed. */
const pathOf = ({ path, parameters }: ApiOperation): string =>
  path.replaceAll(/\{([^}]+)\}/g, (_, name: string) => {
    const { example } = parameters.find((each) => each.in === 'path' && each.name === name) ?? {}
    return encodeURIComponent(String(example ?? exampleIds.watchlist))
  })
