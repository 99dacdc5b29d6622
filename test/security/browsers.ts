/** Browsers that sign in at the console and at the accounts' pages: each call comes from an address of its own. */
import type { LightMyRequestResponse } from 'fastify'
import { expect } from 'vitest'
import { freshAddress, type TestApi } from '../support/api.ts'

export interface SignedIn {
  readonly cookie: string
  readonly csrf: string
  readonly reply: LightMyRequestResponse
}

export type Headers = Readonly<Record<string, string>>

/** Call at the top of a file, after useApi. */
export function useBrowsers(api: TestApi) {
  const call = (method: 'GET' | 'POST' | 'PUT' | 'DELETE', url: string, headers: Headers = {}, payload?: object) =>
    api.app.inject({
      method,
      url,
      headers: { host: 'panji.example', ...headers },
      remoteAddress: freshAddress(),
      ...(payload ? { payload } : {}),
    })

  async function signIn(door: 'console' | 'app', payload: object, headers: Headers = {}): Promise<SignedIn> {
    const reply = await call('POST', `/${door}/session`, headers, payload)
    expect([reply.statusCode, reply.body]).toEqual([201, expect.any(String)])
    const [cookie] = reply.cookies
    return { reply, cookie: `${cookie?.name}=${cookie?.value}`, csrf: reply.json<{ csrf_token: string }>().csrf_token }
  }
  return { call, signIn }
}

export const with_ = ({ cookie, csrf }: Pick<SignedIn, 'cookie' | 'csrf'>): Headers => ({
  cookie,
  'x-csrf-token': csrf,
})
export const codeOf = (reply: LightMyRequestResponse) => reply.json<{ error_code?: string }>().error_code
