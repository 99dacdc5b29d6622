/** Large bodies of one account are taken in turn, and those of others beside them. */
import { expect, test } from 'vitest'
import { z } from 'zod'
import type { Routes } from '../../src/api/route-context.ts'
import { newCustomer, useApi } from '../support/api.ts'
import { useTestDatabase } from '../support/database.ts'

const database = useTestDatabase()
const held: (() => void)[] = []
const api = useApi(database, [
  (async (app) => {
    const schema = { tags: ['Test'], summary: 'Held', operationId: 'held', body: z.object({ text: z.string() }) }
    app.post('/api/held', { schema: { ...schema, response: { 200: z.object({}) } } }, async () => {
      await new Promise<void>((resolve) => held.push(resolve))
      return {}
    })
  }) satisfies Routes,
])
const large = { text: 'x'.repeat(70_000) }

test('of one account two large bodies are read at a time, small ones and those of others at once', async () => {
  const [one, other] = [await newCustomer(api, database), await newCustomer(api, database)]
  const asked = [one, one, one].map(({ token }) => api.post('/api/held', token, large))
  await expect.poll(() => held).toHaveLength(2)
  asked.push(api.post('/api/held', one.token, { text: 'x' }), api.post('/api/held', other.token, large))
  await expect.poll(() => held).toHaveLength(4)
  held[0]?.()
  await expect.poll(() => held).toHaveLength(5)
  for (const release of held) release()
  expect((await Promise.all(asked)).map(({ statusCode }) => statusCode)).toEqual([200, 200, 200, 200, 200])
})
