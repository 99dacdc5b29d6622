/** Who sends an API key as it is gets the one call that exchanges it, and can paste it into a shell. */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { createCustomer, useApi } from '../../support/api.ts'
import { useTestDatabase } from '../../support/database.ts'

const database = useTestDatabase()
const api = useApi(database, [], { connect: { publicUrl: undefined, apps: [] } })
const behindProxy = useApi(database)
const run = promisify(execFile)

test('the call that a raw key is answered with, pasted into a shell, logs in', async () => {
  const { apiKey, accountId } = await createCustomer(database.db)
  const address = await api.app.listen({ host: '127.0.0.1', port: 0 })
  const reply = await fetch(`${address}/api/users/me`, { headers: { authorization: `Bearer ${apiKey}` } })
  const body = (await reply.json()) as { readonly exchange: string }
  expect(reply.status).toBe(401)
  expect(JSON.stringify(body)).not.toContain(apiKey)
  const { stdout } = await run('sh', ['-c', body.exchange], { env: { ...process.env, PANJI_API_KEY: apiKey } })
  expect(JSON.parse(stdout)).toMatchObject({ user: { userId: accountId }, token: { token_type: 'bearer' } })
})

test.each(["evil.example'$(id)", 'a b', 'evil.example', 'evil.example:8080'])(
  'a Host of %j sends no key anywhere: the call goes to this server, or where PANJI_PUBLIC_URL says',
  async (host) => {
    const { apiKey } = await createCustomer(database.db)
    const headers = { authorization: `Bearer ${apiKey}`, host }
    for (const { app } of [api, behindProxy]) {
      const reply = await app.inject({ method: 'GET', url: '/api/users/me', headers })
      expect(reply.body).not.toContain('evil')
      expect(reply.body.match(/curl -sS (\S+?)\/api/)?.[1] ?? 'refused').toMatch(
        /^(refused|http:\/\/127\.0\.0\.1:\d+|https:\/\/panji\.example\.in)$/,
      )
    }
  },
)
