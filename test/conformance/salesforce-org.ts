/** Orgs of the Salesforce sandbox for single tests, the sessions that lead into them, and a token for other clients. */
import { readFileSync } from 'node:fs'
import jsforce from '@jsforce/jsforce-node'
import { afterEach, expect } from 'vitest'
import { ZipFile } from 'yazl'
import type { CrmSession, SessionOptions } from '../../connectors/contract.ts'
import { salesforce } from '../../connectors/salesforce/connector.ts'
import { createSalesforceSandbox, type SalesforceSandboxOptions } from '../../sandboxes/salesforce/sandbox.ts'
import { type RunningSandboxes, startSandboxes } from '../../sandboxes/server.ts'
import { openGate } from './promises/world.ts'

/** @returns what makes an org; it is closed after the test. */
export function useOrgs() {
  let server: RunningSandboxes | undefined
  afterEach(async () => {
    await server?.close()
  })
  return async (options: SalesforceSandboxOptions = {}) => {
    const sandbox = createSalesforceSandbox(options)
    const running = await startSandboxes([sandbox], { port: 0 })
    server = running
    const open = (over: object = {}, session: Partial<SessionOptions> = {}): CrmSession =>
      salesforce.open(salesforce.readSettings({ ...running.settings('salesforce'), ...over }), {
        gate: openGate,
        signal: new AbortController().signal,
        ...session,
      })
    return { sandbox, open, running }
  }
}

export async function accessTokenOf(settings: Readonly<Record<string, unknown>>): Promise<string> {
  const { login_url, client_id, client_secret } = settings as Readonly<Record<string, string>>
  const form = { grant_type: 'client_credentials', client_id: String(client_id), client_secret: String(client_secret) }
  const reply = await fetch(`${login_url}/services/oauth2/token`, { method: 'POST', body: new URLSearchParams(form) })
  return ((await reply.json()) as { access_token: string }).access_token
}

/** The vendor's own client, as it comes. */
export async function connect(settings: Readonly<Record<string, unknown>>): Promise<jsforce.Connection> {
  const url = String(settings['login_url'])
  const accessToken = await accessTokenOf(settings)
  return new jsforce.Connection({ version: '66.0', loginUrl: url, instanceUrl: url, accessToken })
}

const setFile =
  'connectors/salesforce/package/force-app/main/default/permissionsets/Panji_Delivery.permissionset-meta.xml'

/** The permission set of the package for its user, as `sf project deploy start` and `sf org assign permset` bring it there. */
export async function assignPackage(client: jsforce.Connection): Promise<void> {
  const zip = new ZipFile()
  zip.addBuffer(readFileSync(setFile), 'permissionsets/Panji_Delivery.permissionset')
  zip.end()
  const file = Buffer.concat(await Array.fromAsync(zip.outputStream as AsyncIterable<Buffer>))
  const { id } = await client.metadata.deploy(file, {})
  expect(await client.metadata.checkDeployStatus(String(id), true)).toMatchObject({ success: true })
  const { records: users } = await client.query<{ Id: string }>(
    `SELECT Id, Username, Email, ProfileId FROM User WHERE Username = 'sandbox@panji.example'`,
  )
  const { records: sets } = await client.query<{ Id: string }>(
    `SELECT Id FROM PermissionSet WHERE Name = 'Panji_Delivery'`,
  )
  const assignment = { AssigneeId: users[0]?.Id, PermissionSetId: sets[0]?.Id }
  expect(await client.sobject('PermissionSetAssignment').create(assignment)).toMatchObject({ success: true })
  await expect(client.sobject('PermissionSetAssignment').create(assignment)).rejects.toThrow('Duplicate')
  const { records } = await client.query(`SELECT Id FROM PermissionSetAssignment WHERE AssigneeId = '${users[0]?.Id}'`)
  expect(records).toHaveLength(1)
}
