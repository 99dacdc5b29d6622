import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { connectorsOf } from '../../../connectors/index.ts'
import type { Sandbox } from '../../../connectors/sandbox-contract.ts'
import { type RunningSandboxes, startSandboxes } from '../../../connectors/sandbox-server.ts'
import { sandboxes } from '../../../connectors/sandboxes.ts'
import { addDestination } from '../../../src/deliver/destinations.ts'
import { planPush } from '../../../src/deliver/plan-push.ts'
import { readPush } from '../../../src/deliver/read-push.ts'
import { reconcile } from '../../../src/deliver/reconcile.ts'
import { requestPush } from '../../../src/deliver/request-push.ts'
import { testDestination } from '../../../src/deliver/test-destination.ts'
import { Secret } from '../../../src/domain/secret.ts'
import { type QueueHandle, startQueue } from '../../../src/queue/queue.ts'
import { createFolderSandbox, deliveryDir } from '../../conformance/folder-sandbox.ts'
import { companyLead, directorLead, gstLead } from '../../conformance/sample-leads.ts'
import { useTestDatabase } from '../../support/database.ts'
import { insertAccount, insertOrder } from './paid-order.ts'

const database = useTestDatabase()
const secretKey = new Secret('a key of sixteen characters or more')
const { signal } = new AbortController()
const connectors = connectorsOf(deliveryDir)
let queue: QueueHandle
let boxes: Sandbox[]
let server: RunningSandboxes

beforeAll(async () => {
  queue = await startQueue({
    connectionString: database.url,
    role: 'panji_worker',
    supervise: false,
    onError: () => {},
  })
  const crms = sandboxes()
  server = await startSandboxes(crms, { port: 0 })
  boxes = [...crms, createFolderSandbox()]
})
afterAll(async () => {
  await server.close()
  await queue.stop()
})

describe.each(connectors.map(({ name }) => name))('%s', (crm) => {
  test('is planned, delivered and pushed again: one record per lead, and the second push calls nobody', async () => {
    const box = boxes.find((sandbox) => sandbox.crm === crm)
    const parts = { db: database.as('panji_worker'), connectors, secretKey }
    const accountId = await insertAccount(database.db)
    const settings = server.crms.includes(crm) ? server.settings(crm) : box?.settings('')
    const given = { accountId, connector: crm, name: 'CRM', settings }
    const destinationId = (await addDestination(database.db, connectors, secretKey, given)).destination_id
    const leads = [gstLead(1), companyLead(1), directorLead(1)]
    const orderId = await insertOrder(database.db, accountId, leads)
    const push = async () => {
      const request = { orderId, destinationId }
      const { pushId } = await database.db.transaction((tx) => requestPush(tx, queue, request))
      await reconcile(parts, destinationId, signal)
      return (await readPush(parts.db, pushId)).counts
    }
    const held = JSON.stringify

    const before = held(box?.records())
    expect(await planPush(parts, { orderId, destinationId }, signal)).toMatchObject({
      counts: { create: 3, reject: 0 },
    })
    expect(held(box?.records()), 'a plan writes nothing').toBe(before)

    expect(await testDestination(parts, destinationId, signal)).toMatchObject({ ok: true })
    expect(await push()).toMatchObject({ created: 3, updated: 0, unchanged: 0, rejected: 0, pending: 0, unknown: 0 })
    for (const { externalId } of leads) expect(held(box?.records())).toContain(externalId)

    const [records, calls] = [held(box?.records()), box?.calls().length]
    expect(await push()).toMatchObject({ created: 0, updated: 0, unchanged: 3, rejected: 0, pending: 0, unknown: 0 })
    expect(held(box?.records())).toBe(records)
    expect(box?.calls().length).toBe(calls)
  })
})
