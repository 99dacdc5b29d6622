/** Every operation with the worst bodies that its schema suggests: each is refused, in few words, for few faults, and mostly unread. */
import { beforeAll, expect, test } from 'vitest'
import { exampleIds } from '../../src/api/example-records.ts'
import { freshAddress, newCustomer, operatorToken, useApi } from '../support/api.ts'
import { useTestDatabase } from '../support/database.ts'
import { loopMsMax, timedOnLoop } from '../support/loop-time.ts'
import { type ApiOperation, operationsIn } from '../support/openapi.ts'
import { worstBodies } from '../support/worst-bodies.ts'

const database = useTestDatabase()
const unbounded = { atOnce: Number.MAX_SAFE_INTEGER, perSecond: 1e9, keysMax: 10_000 }
const daily = { search: 1e9, details: 1e9, screener: 1e9 }
const limits = { burstPerMinute: 1e9, daily: { free: daily, premium: daily } }
const api = useApi(database, [], { bodies: unbounded, limits })
let document: object
let operations: readonly ApiOperation[]
beforeAll(async () => {
  document = (await api.get('/openapi.json')).json()
  operations = operationsIn(document).filter(({ requestBody }) => requestBody?.content['application/json'])
})

const faultsMax = 20
const answerBytesMax = 20_000

const send = ({ method, path, guard }: ApiOperation, token: string, payload: string) =>
  api.app.inject({
    method,
    url: path.replaceAll(/\{[^}]+\}/g, exampleIds.watchlist),
    remoteAddress: freshAddress(),
    headers: {
      'content-type': 'application/json',
      ...(guard === 'public' ? {} : { authorization: `Bearer ${guard === 'operator' ? operatorToken : token}` }),
    },
    payload,
  })

test('each is refused in at most twenty faults, a short answer and 50 ms of the event loop, and for no fault of ours', async () => {
  expect(operations.length).toBeGreaterThan(30)
  const wrong: string[] = []
  const reading = new Set<string>()
  let asked = 0
  const { token } = await newCustomer(api, database)
  for (const operation of operations) {
    const schema = operation.requestBody?.content['application/json']?.schema ?? {}
    for (const { what, text } of worstBodies(schema, document, 3)) {
      const { reply, loopMs } = await timedOnLoop(() => send(operation, token, text))
      asked += 1
      if (text.length > 900_000 && reply.statusCode !== 413) reading.add(operation.name)
      const { errors = [] } = reply.json<{ errors?: readonly { field: string; message: string }[] }>()
      const faults = errors.map(({ field, message }) => `${field} ${message}`)
      const isRight =
        reply.statusCode >= 400 &&
        reply.statusCode < 500 &&
        faults.length <= faultsMax &&
        new Set(faults).size === faults.length &&
        reply.body.length <= answerBytesMax &&
        loopMs <= loopMsMax
      if (!isRight)
        wrong.push(
          `${operation.name}, ${what}: ${reply.statusCode}, ${faults.length} faults, ${reply.body.length} bytes, ${loopMs} ms`,
        )
    }
  }
  expect(wrong).toEqual([])
  expect(asked).toBeGreaterThan(4_000)
  // Lists of up to a thousand entries and more.
  expect([...reading].toSorted()).toEqual([
    'DELETE /admin/suppressions',
    'PATCH /api/standing-orders/{id}',
    'POST /admin/ingest/runs',
    'POST /admin/suppressions',
    'POST /admin/users/{id}/grants',
    'POST /admin/users/{id}/keys',
    'POST /api/crm/deliveries/fix',
    'POST /api/crm/destinations/{destination_id}/mapping/preview',
    'POST /api/keys',
    'POST /api/orders/normal',
    'POST /api/orders/quote',
    'POST /api/standing-orders',
    'POST /api/standing-orders/preview',
    'POST /api/watchlist',
    'POST /api/watchlist/{watchlist_id}/entities',
    'PUT /api/crm/destinations/{destination_id}/mapping',
  ])
}, 600_000)
