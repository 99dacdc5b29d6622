/** One caller on one kept-alive connection: the next request is sent when the response is read. */
import { Pool } from 'undici'
import type { LoadRequest } from './http-load.ts'
import type { TargetServer } from './server-thread.ts'

export interface HttpCaller {
  /** @returns any response. */
  ask(request: LoadRequest): Promise<{ readonly status: number; readonly text: string }>
  /** @throws for any response but 200: a fast error is no measurement. */
  call(request: LoadRequest): Promise<string>
  close(): Promise<void>
}

export function httpCaller({ origin, callers }: TargetServer): HttpCaller {
  const pool = new Pool(origin, { connections: 1, pipelining: 1, bodyTimeout: 60_000, headersTimeout: 60_000 })
  const caller = callers[0] ?? {}
  const ask: HttpCaller['ask'] = async ({ method, path, body }) => {
    const json = body
      ? { headers: { ...caller, 'content-type': 'application/json' }, body: JSON.stringify(body) }
      : { headers: caller }
    const reply = await pool.request({ method, path, ...json })
    return { status: reply.statusCode, text: await reply.body.text() }
  }
  return {
    ask,
    async call(request) {
      const { status, text } = await ask(request)
      if (status !== 200) throw new Error(`${request.path} answered ${status}: ${text.slice(0, 200)}`)
      return text
    },
    close: () => pool.close(),
  }
}
