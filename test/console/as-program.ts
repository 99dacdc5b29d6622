/** The account of the sample world as a program of its own calls the API. */
import type { ConsoleInstance } from '../support/console-instance.ts'

/** @returns a call with the account's token. @throws for every answer that is not a good one */
export async function asProgram({ url, apiKey }: ConsoleInstance) {
  const ask = async <T>(method: string, path: string, body?: object, authorization?: string): Promise<T> => {
    const headers = { 'Content-Type': 'application/json', ...(authorization && { Authorization: authorization }) }
    const reply = await fetch(url + path, { method, headers, ...(body && { body: JSON.stringify(body) }) })
    if (!reply.ok) throw new Error(`${path}: ${reply.status} ${await reply.text()}`)
    return (await reply.json()) as T
  }
  const login = await ask<{ token: { access_token: string } }>('POST', '/api/auth/login', { api_key: apiKey })
  return <T>(method: string, path: string, body?: object) =>
    ask<T>(method, path, body, `Bearer ${login.token.access_token}`)
}
