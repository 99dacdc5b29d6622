/** What an account does by the API is told to its own webhooks, though the database shows a request the rows of that account alone. */
import { expect, test } from 'vitest'
import { connectors } from '../../../connectors/index.ts'
import { addWebhook, listEvents } from '../../../src/notify/webhooks/webhooks.ts'
import { newCustomer, secretKey, useApi } from '../../support/api.ts'
import { useCrmWorld } from '../../support/crm-world.ts'
import { useTestDatabase } from '../../support/database.ts'

const database = useTestDatabase()
const crm = useCrmWorld(database)
const api = useApi(database, [], { connectors })

test('an account that pauses its CRM by the API is told so by each webhook that hears of it', async () => {
  const { accountId, token } = await newCustomer(api, database)
  const destinationId = await crm.destination(accountId)
  const hears = await addWebhook(database.db, secretKey, { accountId, url: 'https://hook.example.invalid/' })
  const events = ['order.paid'] as const
  await addWebhook(database.db, secretKey, { accountId, url: 'https://other.example.invalid/', events })
  const reply = await api.post(`/api/crm/destinations/${destinationId}/pause`, token, {})
  expect(reply.statusCode).toBe(200)
  const told = await listEvents(database.db, accountId, { limit: 9, offset: 0 })
  expect(told.events).toMatchObject([
    { type: 'delivery.paused', notices: [{ webhook_id: hears.webhook_id, state: 'pending' }] },
  ])
  expect(told.events[0]?.notices).toHaveLength(1)
})
