/** An order of some companies of a state, placed as a program of the account does. */
import type { ConsoleInstance } from '../support/console-instance.ts'

const headers = { 'Content-Type': 'application/json' }

/** @returns its id. */
export async function orderSome({ url, apiKey }: ConsoleInstance, state: string): Promise<string> {
  const post = async <T>(path: string, body: object, token?: string): Promise<T> => {
    const authorization = token === undefined ? {} : { Authorization: `Bearer ${token}` }
    const reply = await fetch(url + path, {
      ...{ method: 'POST', headers: { ...headers, ...authorization } },
      body: JSON.stringify(body),
    })
    if (!reply.ok) throw new Error(`${path}: ${reply.status} ${await reply.text()}`)
    return (await reply.json()) as T
  }
  const { token } = await post<{ token: { access_token: string } }>('/api/auth/login', { api_key: apiKey })
  const { results } = await post<{ results: readonly { CIN: string; companyName: string }[] }>(
    '/api/screener/search',
    { query: `State == '${state}'`, type: 'company', page: 1, limit: 6 },
    token.access_token,
  )
  const items = results.map(({ CIN, companyName }) => ({ type: 'company', name: companyName, number: CIN }))
  const order = { orderName: `Some of ${state}`, paymentOption: 'credits', items }
  return (await post<{ _id: string }>('/api/orders/normal', order, token.access_token))._id
}
