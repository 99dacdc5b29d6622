/** Another account, as an operator makes one over the API: a command would start a process for it. */
import { type ConsoleInstance, operatorToken } from '../support/console-instance.ts'

/** @returns its first key. */
export async function newAccount({ url }: Pick<ConsoleInstance, 'url'>, email: string): Promise<string> {
  const made = await fetch(`${url}/admin/users`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${operatorToken}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ email }),
  })
  if (!made.ok) throw new Error(`no account was made: ${made.status} ${await made.text()}`)
  return ((await made.json()) as { api_key: string }).api_key
}
