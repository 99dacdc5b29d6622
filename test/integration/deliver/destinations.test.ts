import { afterAll, beforeAll, expect, test } from 'vitest'
import { salesforce } from '../../../connectors/salesforce/connector.ts'
import { createSalesforceSandbox } from '../../../connectors/salesforce/sandbox/sandbox.ts'
import { type RunningSandboxes, startSandboxes } from '../../../connectors/sandbox-server.ts'
import { listDestinations } from '../../../src/deliver/destination-view.ts'
import { addDestination, removeDestination, updateDestination } from '../../../src/deliver/destinations.ts'
import type { DeliveryParts } from '../../../src/deliver/open-destination.ts'
import { encryptSettings } from '../../../src/deliver/settings-cipher.ts'
import { testDestination } from '../../../src/deliver/test-destination.ts'
import { Secret } from '../../../src/domain/secret.ts'
import { useTestDatabase } from '../../support/database.ts'
import { insertAccount } from './paid-order.ts'

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
