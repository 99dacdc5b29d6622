/** Orgs whose people own their leads: what the test of a destination says of it, and the permission set that mends it. */
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { ZipFile } from 'yazl'
import { salesforce } from '../../connectors/salesforce/connector.ts'
import { afterPush } from './promises/world.ts'
import { connect, useOrgs } from './salesforce-org.ts'
import { gstLead } from './sample-leads.ts'

const org = useOrgs()
const rep = '005000000000009AAA'
const setFile =
  'connectors/salesforce/package/force-app/main/default/permissionsets/Panji_Delivery.permissionset-meta.xml'
const moved = gstLead(1, { City: 'Vasco da Gama' })

/** As `sf project deploy start` and `sf org assign permset` do it. */
async function deployAndAssign(client: Awaited<ReturnType<typeof connect>>) {
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
  const { records } = await client.query(`SELECT Id FROM PermissionSetAssignment WHERE AssigneeId = '${users[0]?.Id}'`)
  expect(records).toHaveLength(1)
}

test.each(['Read', 'None'] as const)(
  'under sharing %s a lead that a rep owns is refused, the test says so, and the package’s set, assigned, lets it be updated',
  async (access) => {
    const { sandbox, open, running } = await org()
    await open().setup()
    const [first] = await open().push([gstLead(1)])
    const lead = afterPush(moved, first)
    sandbox.edit(String(lead.crmId), { OwnerId: rep })
    sandbox.share(access)

    const { advice } = await open().setup()
    const said = advice?.find((each) => each.includes('Leads are private in this org'))
    expect(said).toContain('tick View All Records and Modify All Records')
    expect(said).toContain(access === 'Read' ? `tried on ${lead.crmId}` : 'none of them is there')
    const [refused] = await open().push([lead])
    expect(refused).toMatchObject({ status: 'rejected' })
    expect(sandbox.records()).toHaveLength(1)

    await deployAndAssign(await connect(running.settings('salesforce')))
    expect((await open().setup()).advice?.join(' ')).not.toContain('private')
    expect(await open().push([lead])).toMatchObject([{ status: 'updated', crmId: lead.crmId }])
  },
)

test('an org that shares its leads for writing is not warned of', async () => {
  const { open } = await org()
  expect((await open().setup()).advice?.join(' ')).not.toContain('private')
})

test.each(['https://login.salesforce.com', 'https://test.salesforce.com'])(
  'client credentials at %s are refused before anybody is called, with the address that takes them',
  (login_url) => {
    const settings = { auth: 'client_credentials', login_url, client_id: 'app', client_secret: 'secret' }
    expect(() => salesforce.readSettings(settings)).toThrow(/client credentials.*https:\/\/yours\.my\.salesforce\.com/)
    expect(() => salesforce.readSettings({ ...settings, login_url: 'https://acme.my.salesforce.com' })).not.toThrow()
  },
)
