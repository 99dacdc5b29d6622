import { afterAll, beforeAll, expect, test } from 'vitest'
import { salesforce } from '../../../connectors/salesforce/connector.ts'
import { createSalesforceSandbox } from '../../../sandboxes/salesforce/sandbox.ts'
import { type RunningSandboxes, startSandboxes } from '../../../sandboxes/server.ts'
import { listDestinations } from '../../../src/deliver/destinations/destination-view.ts'
import { addDestination, removeDestination, updateDestination } from '../../../src/deliver/destinations/destinations.ts'
import {
  type DeliveryParts,
  openDestination,
  readDestination,
} from '../../../src/deliver/destinations/open-destination.ts'
import { encryptSettings } from '../../../src/deliver/destinations/settings-cipher.ts'
import { testDestination } from '../../../src/deliver/destinations/test-destination.ts'
import { sendTestRow } from '../../../src/deliver/destinations/test-row.ts'
import { planPush } from '../../../src/deliver/plan/plan-push.ts'
import { Secret } from '../../../src/domain/secret.ts'
import { gstLead } from '../../conformance/sample-leads.ts'
import { useTestDatabase } from '../../support/database.ts'
import { insertAccount, insertOrder } from './paid-order.ts'

const database = useTestDatabase()
const secretKey = new Secret('a key of sixteen characters or more')
const connectors = [salesforce]
let server: RunningSandboxes

beforeAll(async () => {
  server = await startSandboxes([createSalesforceSandbox()], { port: 0 })
})
afterAll(async () => {
  await server.close()
})

const partsWith = (key: Secret): DeliveryParts => ({ db: database.db, connectors, secretKey: key })
const add = (accountId: string, name: string, settings: unknown = server.settings('salesforce')) =>
  addDestination(database.db, connectors, secretKey, { accountId, connector: 'salesforce', name, settings })

test('secrets are hidden in what is shown and unreadable at rest', async () => {
  const accountId = await insertAccount(database.db)
  const shown = await add(accountId, 'hidden')
  expect(shown.settings).toMatchObject({
    client_id: 'panji-sandbox-app',
    client_secret: '[hidden]',
    sandbox_pass: '[hidden]',
  })
  expect(JSON.stringify(await listDestinations(partsWith(secretKey), accountId))).not.toContain(
    String(server.settings('salesforce')['client_secret']),
  )
  const [row] = await database.db.query<{ bytes: Buffer }>(
    'SELECT settings_encrypted AS bytes FROM deliver.destination WHERE destination_id = $1',
    [shown.destination_id],
  )
  expect(row?.bytes.toString('latin1')).not.toMatch(/panji-sandbox/)
})

test('of the day’s calls a destination leaves the share that its account chose', async () => {
  const accountId = await insertAccount(database.db)
  const parts = partsWith(secretKey)
  const given = { connector: 'salesforce', name: 'shared', settings: server.settings('salesforce') }
  const usual = await add(accountId, 'usual')
  const { destination_id: id, customer_share: share } = await addDestination(database.db, connectors, secretKey, {
    ...{ accountId, customerShare: 0.5 },
    ...given,
  })
  expect([usual.customer_share, share]).toEqual([0.2, 0.5])
  const waitMs = async () => {
    const { limiter } = openDestination(parts, await readDestination(database.db, id), new AbortController().signal)
    await limiter.take(0, new AbortController().signal).catch(() => {})
    limiter.observe({ dailyUsed: 60, dailyLimit: 100 })
    await limiter.flush()
    return limiter.waitMs()
  }
  expect(await waitMs()).toBeGreaterThan(0)
  expect(await updateDestination(parts, id, { customerShare: 0.2 })).toMatchObject({ customer_share: 0.2 })
  expect(await waitMs()).toBe(0)
  expect(await updateDestination(parts, id, { name: 'kept' })).toMatchObject({ customer_share: 0.2 })
  for (const customerShare of [-0.1, 1, Number.NaN])
    await expect(updateDestination(parts, id, { customerShare })).rejects.toMatchObject({ code: 'DESTINATION_INVALID' })
})

test('stored settings that the connector no longer takes are named in the list, can be renewed and removed', async () => {
  const accountId = await insertAccount(database.db)
  const [old, other] = [await add(accountId, 'old'), await add(accountId, 'other')]
  const { sandbox_pass: _, ...before } = server.settings('salesforce')
  const store = (destinationId: string) =>
    database.db.execute('UPDATE deliver.destination SET settings_encrypted = $2 WHERE destination_id = $1', [
      destinationId,
      encryptSettings(before, { destinationId, accountId }, secretKey),
    ])
  await store(old.destination_id)
  const parts = partsWith(secretKey)
  expect(await listDestinations(parts, accountId)).toMatchObject([
    { name: 'old', settings: {}, status_reason: expect.stringContaining('login_url') },
    { name: 'other', settings: { client_id: 'panji-sandbox-app' }, status_reason: null },
  ])
  await updateDestination(parts, old.destination_id, { settings: server.settings('salesforce') })
  expect(await testDestination(parts, old.destination_id, new AbortController().signal)).toMatchObject({ ok: true })
  await store(other.destination_id)
  await removeDestination(parts, other.destination_id)
  expect(await listDestinations(parts, accountId)).toMatchObject([{ name: 'old', status_reason: null }])
})

test('settings moved to another row, changed, or read under another key do not open', async () => {
  const accountId = await insertAccount(database.db)
  const [one, two] = [await add(accountId, 'one'), await add(accountId, 'two')]
  const other = partsWith(new Secret('another key of sixteen characters'))
  expect((await listDestinations(other, accountId)).map(({ status, settings }) => [status, settings])).toEqual([
    ['broken', {}],
    ['broken', {}],
  ])
  expect(await listDestinations(partsWith(secretKey), accountId)).toHaveLength(2)
  await database.db.execute(
    `UPDATE deliver.destination SET settings_encrypted =
       (SELECT settings_encrypted FROM deliver.destination WHERE destination_id = $2) WHERE destination_id = $1`,
    [one.destination_id, two.destination_id],
  )
  const signal = new AbortController().signal
  await expect(testDestination(partsWith(secretKey), one.destination_id, signal)).rejects.toMatchObject({
    code: 'DESTINATION_INVALID',
  })
  expect(await testDestination(partsWith(secretKey), two.destination_id, signal)).toMatchObject({ ok: true })
})

test('a test that succeeds fixes its own destination, which a pause outlasts, and no other', async () => {
  const accountId = await insertAccount(database.db)
  const [tested, other] = [await add(accountId, 'tested'), await add(accountId, 'untested')]
  const set = (status: string) =>
    database.db.execute(
      `UPDATE deliver.destination SET status = $2, status_reason = 'away', failures = 7, retry_at = now() WHERE account_id = $1`,
      [accountId, status],
    )
  const statuses = async () => (await listDestinations(partsWith(secretKey), accountId)).map(({ status }) => status)
  const signal = new AbortController().signal
  await set('broken')
  expect(await testDestination(partsWith(secretKey), tested.destination_id, signal)).toMatchObject({ ok: true })
  expect(await statuses()).toEqual(['active', 'broken'])
  await set('paused')
  await testDestination(partsWith(secretKey), other.destination_id, signal)
  expect(await statuses()).toEqual(['paused', 'paused'])
})

test('a test row that the CRM refuses says why, in the words of the CRM', async () => {
  const { destination_id } = await add(await insertAccount(database.db), 'refusing')
  const signal = new AbortController().signal
  const map = (mapping: object[]) =>
    database.db.execute('UPDATE deliver.destination SET mapping = $2 WHERE destination_id = $1', [
      destination_id,
      JSON.stringify(mapping),
    ])
  await map([{ field: 'Email', value: { constant: 'nobody' } }])
  expect(await sendTestRow(partsWith(secretKey), destination_id, signal)).toMatchObject({
    ok: false,
    outcome: 'rejected',
    code: 'INVALID_EMAIL_ADDRESS',
    field: 'Email',
    removed: true,
  })
  await map([])
  expect(await sendTestRow(partsWith(secretKey), destination_id, signal)).toMatchObject({ ok: true, code: null })
})

test('a plan sends what the register says of a refused lead now, and leaves out what the CRM has acknowledged', async () => {
  const accountId = await insertAccount(database.db)
  const { destination_id: destinationId } = await add(accountId, 'planned')
  const leads = [gstLead(11), gstLead(12)]
  const orderId = await insertOrder(database.db, accountId, leads)
  const plan = () => planPush(partsWith(secretKey), { orderId, destinationId }, new AbortController().signal)
  await testDestination(partsWith(secretKey), destinationId, new AbortController().signal)
  const whole = await plan()
  expect(whole.counts).toMatchObject({ create: 2, unchanged: 0 })
  expect(whole.minutes, 'a call takes time').toBeGreaterThanOrEqual(1)
  await database.db.execute(
    `INSERT INTO deliver.record (destination_id, external_id, item_id, version, desired_sha256, state, acknowledged_sha256, reading)
     SELECT $1, type || ':' || item.identifier, item_id, lead.built_at, '',
            CASE position WHEN 0 THEN 'rejected' ELSE 'acknowledged' END,
            CASE position WHEN 1 THEN sha256(convert_to(deliver.payload(flat, NULL)::text, 'UTF8')) END,
            CASE position WHEN 0 THEN flat || '{"Email": "nobody"}' END
     FROM orders.item JOIN orders.lead USING (item_id, order_id, position, type, identifier) WHERE order_id = $2`,
    [destinationId, orderId],
  )
  const { counts, rows } = await plan()
  expect(rows.find(({ record }) => record === leads[0]?.externalId)).toMatchObject({ action: 'reject' })
  expect(counts).toMatchObject({ reject: 1, unchanged: 1, create: 0 })
})

test('a destination into a CRM account of another takes over what that heard later, never what it heard before', async () => {
  const accountId = await insertAccount(database.db)
  const leads = [gstLead(21), gstLead(22), gstLead(23)]
  const orderId = await insertOrder(database.db, accountId, leads)
  const [before, after] = [await add(accountId, 'before'), await add(accountId, 'after')]
  const know = (destinationId: string, crmId: string, days: readonly (number | null)[]) =>
    database.db.execute(
      `INSERT INTO deliver.record (destination_id, external_id, item_id, version, desired_sha256, state, crm_id,
         acknowledged_sha256, acknowledged_at)
       SELECT $1, type || ':' || identifier, item_id, '2026-01-01', '', CASE WHEN day IS NULL THEN 'pending' ELSE 'acknowledged' END,
              $3, CASE WHEN day IS NOT NULL THEN '\\x01'::bytea END, '2026-01-01'::timestamptz + make_interval(days => day)
       FROM orders.item CROSS JOIN LATERAL (SELECT ($4::integer[])[position + 1] AS day) AS d WHERE order_id = $2`,
      [destinationId, orderId, crmId, days],
    )
  await know(before.destination_id, 'of the one before', [5, 5, 5])
  await know(after.destination_id, 'its own', [null, 1, 9])
  for (const { destination_id } of [before, after])
    await testDestination(partsWith(secretKey), destination_id, new AbortController().signal)
  const rows = await database.db.query<{ crmId: string }>(
    `SELECT crm_id AS "crmId" FROM deliver.record JOIN orders.item USING (item_id) WHERE destination_id = $1 ORDER BY position`,
    [after.destination_id],
  )
  expect(rows.map(({ crmId }) => crmId)).toEqual(['of the one before', 'of the one before', 'its own'])
})

test('bad settings, unknown connectors, unknown accounts and taken names are refused with a reason', async () => {
  const accountId = await insertAccount(database.db)
  await add(accountId, 'taken')
  await expect(add(accountId, 'taken')).rejects.toMatchObject({ code: 'CONFLICT' })
  await expect(add(accountId, 'bad', { auth: 'jwt' })).rejects.toThrow(/client_id.*username.*private_key/)
  await expect(add('not-an-account', 'x')).rejects.toMatchObject({ code: 'NOT_FOUND' })
  await expect(add('00000000-0000-4000-8000-000000000000', 'x')).rejects.toMatchObject({ code: 'NOT_FOUND' })
  const unknown = { accountId, connector: 'fax', name: 'x', settings: {} }
  await expect(addDestination(database.db, connectors, secretKey, unknown)).rejects.toThrow(/salesforce/)
})

test('credentials leave with the destination, and its name is free again', async () => {
  const accountId = await insertAccount(database.db)
  const { destination_id } = await add(accountId, 'leaving')
  await removeDestination(partsWith(secretKey), destination_id)
  const [row] = await database.db.query<{ bytes: number }>(
    'SELECT length(settings_encrypted) AS bytes FROM deliver.destination WHERE destination_id = $1',
    [destination_id],
  )
  expect(row).toEqual({ bytes: 0 })
  expect(await listDestinations(partsWith(secretKey), accountId)).toEqual([])
  await expect(removeDestination(partsWith(secretKey), destination_id)).rejects.toMatchObject({ code: 'NOT_FOUND' })
  await add(accountId, 'leaving')
})
