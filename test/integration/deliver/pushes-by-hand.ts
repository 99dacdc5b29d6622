/** An account and an org of the Salesforce sandbox for each test, and pushes into the org that are run when the test says. */
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest'
import type { OutgoingLead } from '../../../connectors/contract.ts'
import { salesforce } from '../../../connectors/salesforce/connector.ts'
import type { Sandbox } from '../../../sandboxes/contract.ts'
import { createSalesforceSandbox } from '../../../sandboxes/salesforce/sandbox.ts'
import { type RunningSandboxes, startSandboxes } from '../../../sandboxes/server.ts'
import { addDestination } from '../../../src/deliver/destinations/destinations.ts'
import type { DeliveryParts } from '../../../src/deliver/destinations/open-destination.ts'
import { type PushCounts, readPush } from '../../../src/deliver/push/read-push.ts'
import { reconcile } from '../../../src/deliver/push/reconcile.ts'
import { requestPush } from '../../../src/deliver/push/request-push.ts'
import { Secret } from '../../../src/domain/secret.ts'
import { type QueueHandle, startQueue } from '../../../src/queue/queue.ts'
import { companyLead, directorLead, gstLead } from '../../conformance/sample-leads.ts'
import { useTestDatabase } from '../../support/database.ts'
import { insertAccount } from './paid-order.ts'

export const writeCall = ' /services/data/v66.0/composite/sobjects'
export const zero = { created: 0, updated: 0, unchanged: 0, rejected: 0, pending: 0, unknown: 0 }
export const three = (): OutgoingLead[] => [gstLead(1), companyLead(1), directorLead(1)]

/** Call at the top of a file. */
export function usePushes() {
  const database = useTestDatabase()
  const secretKey = new Secret('a key of sixteen characters or more')
  let queue: QueueHandle
  let sandbox: Sandbox
  let server: RunningSandboxes
  let accountId: string
  let parts: DeliveryParts

  beforeAll(async () => {
    queue = await startQueue({
      connectionString: database.url,
      role: 'panji_worker',
      supervise: false,
      onError: () => {},
    })
  })
  afterAll(async () => {
    await queue.stop()
  })
  beforeEach(async () => {
    // Every sandbox is the same org to the limiter.
    await database.db.execute('DELETE FROM deliver.limiter')
    parts = { db: database.as('panji_worker'), connectors: [salesforce], secretKey }
    sandbox = createSalesforceSandbox()
    server = await startSandboxes([sandbox], { port: 0 })
    accountId = await insertAccount(database.db)
  })
  afterEach(async () => {
    await server.close()
  })

  const addOrg = async (over: object = {}, owner = accountId) => {
    const settings = { ...server.settings('salesforce'), ...over }
    const given = { accountId: owner, connector: 'salesforce', name: 'Our org', settings }
    return (await addDestination(database.db, parts.connectors, secretKey, given)).destination_id
  }
  const request = async (orderId: string, destinationId: string) =>
    (await database.db.transaction((tx) => requestPush(tx, queue, { orderId, destinationId }))).pushId
  const run = (destinationId: string) => reconcile(parts, destinationId, new AbortController().signal)
  const countsOf = async (pushId: string): Promise<PushCounts> => (await readPush(database.db, pushId)).counts
  const push = async (orderId: string, destinationId: string) => {
    const pushId = await request(orderId, destinationId)
    await run(destinationId)
    return countsOf(pushId)
  }
  const upserts = () => sandbox.calls().filter(({ method, path }) => `${method} ${path}`.includes(writeCall))

  return {
    database,
    get accountId() {
      return accountId
    },
    get parts() {
      return parts
    },
    get sandbox() {
      return sandbox
    },
    get server() {
      return server
    },
    addOrg,
    request,
    run,
    countsOf,
    push,
    upserts,
  }
}
