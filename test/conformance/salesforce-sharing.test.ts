/** Orgs whose people own their leads: what the test of a destination says of it, and the permission set that fixes it. */
import { expect, test } from 'vitest'
import { salesforce } from '../../connectors/salesforce/connector.ts'
import { afterPush } from './promises/world.ts'
import { assignPackage, connect, useOrgs } from './salesforce-org.ts'
import { gstLead } from './sample-leads.ts'

const org = useOrgs()
const rep = '005000000000009AAA'
const moved = gstLead(1, { City: 'Vasco da Gama' })

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

    await assignPackage(await connect(running.settings('salesforce')))
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
