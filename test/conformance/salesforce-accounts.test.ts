/** Companies as Accounts with their person as a Contact, directors as Contacts: the suite, and what two records of a row owe. */

import { describe, expect, test } from 'vitest'
import type { OutgoingLead } from '../../connectors/contract.ts'
import type { SalesforceSandboxOptions } from '../../sandboxes/salesforce/sandbox.ts'
import { describeConnector } from './connector-suite.ts'
import { afterPush } from './promises/world.ts'
import { connect, useOrgs } from './salesforce-org.ts'
import { companyLead, directorLead, gstLead } from './sample-leads.ts'
import { salesforceAccountSubject } from './subjects.ts'

describeConnector(salesforceAccountSubject)

describe('a row as an account and its person', () => {
  const orgs = useOrgs()
  async function org(options: SalesforceSandboxOptions = {}) {
    const { sandbox, open: openAs, running } = await orgs(options)
    const open = (over: object = {}) => openAs({ object: 'account', ...over })
    await open().setup()
    const of = (object: string) => sandbox.records().filter((record) => record.object === object)
    return { sandbox, open, of, settings: running.settings('salesforce') }
  }

  test('a company has one account and one contact of it, and both ids are kept; a director is a contact of the company', async () => {
    const { open, of } = await org()
    const session = open()
    const [company] = await session.push([companyLead(1)])
    const [account] = of('Account')
    const [person] = of('Contact')
    expect(company).toMatchObject({ status: 'created', crmId: account?.id })
    expect(company).toMatchObject({
      values: { 'Contact.Id': person?.id, 'Account.Name': companyLead(1).row['Company'] },
    })
    const { LastName, Email, AccountId } = person?.properties ?? {}
    expect([LastName, Email, AccountId]).toEqual(['Kamat 1', companyLead(1).row['Email'], account?.id])
    expect(account?.properties).toMatchObject({ CIN__c: companyLead(1).row['CIN'], BillingCity: 'Salcete' })
    const cin = String(companyLead(1).row['CIN'])
    const [director] = await session.push([directorLead(1, { CompanyCINs: cin })])
    const added = of('Contact').find(({ id }) => id !== person?.id)
    expect(director).toMatchObject({ status: 'created', crmId: added?.id })
    expect(added?.properties).toMatchObject({ AccountId: account?.id, DIN__c: '00010001', MailingCity: 'Panaji' })
  })

  test('where nobody is known there is an account alone, with the one number that there is', async () => {
    const { open, of } = await org()
    const company = String(gstLead(1).row['Company'])
    await open().push([gstLead(1, { Email: null, Last_Name: company })])
    expect(of('Contact')).toEqual([])
    expect(of('Account')[0]?.properties).toMatchObject({ Name: company, Phone: gstLead(1).row['Mobile'] })
  })

  test('a person whom the org refuses leaves no account behind, and fixed the row makes one of each', async () => {
    const blocking = { object: 'Contact', fields: ['Email'], allowSave: false }
    const { open, of } = await org({ duplicateRules: [blocking] })
    const taken = String(companyLead(1).row['Email'])
    await open().push([directorLead(5, { Email: taken })])
    const [refused, other] = await open().push([companyLead(1), companyLead(2)])
    expect(refused).toMatchObject({ status: 'rejected', code: 'DUPLICATES_DETECTED' })
    expect(other).toMatchObject({ status: 'created' })
    expect(of('Account')).toHaveLength(1)
    const fixed = companyLead(1, { Email: 'fixed@zuari-foods.example.com' })
    expect(await open().push([fixed])).toMatchObject([{ status: 'created' }])
    expect(await open().push([fixed])).toMatchObject([{ status: 'unchanged' }])
    expect([of('Account').length, of('Contact').length]).toEqual([2, 3])
  })

  test('after an answer that was lost the rows are there once, whether they were read or not', async () => {
    const { sandbox, open, of } = await org()
    const session = open()
    await session.push([companyLead(1)])
    sandbox.addFault({ kind: 'reset_after_commit', match: 'composite/graph' })
    const leads = [companyLead(2), gstLead(3)]
    expect((await session.push(leads)).map(({ status }) => status)).toEqual(['unknown', 'unknown'])
    const found = await session.lookup(leads.map(({ externalId }) => externalId))
    expect([...found.values()].map(({ values }) => typeof values['Contact.Id'])).toEqual(['string', 'string'])
    expect((await session.push(leads)).map(({ status }) => status)).toEqual(['unchanged', 'unchanged'])
    expect([of('Account').length, of('Contact').length]).toEqual([3, 3])
  })

  test('what people changed in the person stays, a person who comes later is added, and a plan says both', async () => {
    const { sandbox, open, of } = await org()
    const session = open()
    const unknown = companyLead(1, { Email: null, Last_Name: companyLead(1).row['Company'] ?? null })
    const [first] = await session.push([unknown])
    const later = afterPush(companyLead(1), first)
    const [plan] = await session.plan([later])
    expect(plan).toMatchObject({ action: 'update' })
    const fields = plan?.action === 'update' ? plan.changes.map(({ field }) => field) : []
    expect(fields).toEqual(expect.arrayContaining(['Contact.LastName', 'Contact.Email']))
    expect(fields.filter((field) => field.startsWith('Account.'))).toEqual([])
    const [second] = await session.push([later])
    expect(second).toMatchObject({ status: 'updated' })
    sandbox.edit(String(of('Contact')[0]?.id), { LastName: 'Kamat, as we know him' })
    const newer = afterPush(companyLead(1, { Last_Name: 'Kamath', Website: 'https://zuari.example.com' }), second)
    expect(await session.push([newer])).toMatchObject([{ status: 'updated' }])
    expect(of('Contact').map(({ properties }) => properties['LastName'])).toEqual(['Kamat, as we know him'])
    expect(of('Account')[0]?.properties['Website']).toBe('https://zuari.example.com')
  })

  test('erased with its person; an account to which people attached somebody stays, emptied of what Panji fills', async () => {
    const { open, of, settings } = await org()
    const session = open()
    await session.push([companyLead(1), companyLead(2)])
    const [first, second] = of('Account')
    const client = await connect(settings)
    await client.sobject('Contact').create({ LastName: 'Our own buyer', AccountId: String(second?.id) })
    const told: string[] = []
    const ids = [companyLead(1).externalId, companyLead(2).externalId]
    expect(await session.erase(ids, (id, why) => void told.push(`${id} ${why}`))).toBe(2)
    expect(of('Account').map(({ id }) => id)).toEqual([second?.id])
    expect(of('Account')[0]?.id).not.toBe(first?.id)
    expect(of('Account')[0]?.properties).toMatchObject({ Panji_Id__c: null, CIN__c: null, Phone: null })
    expect(of('Contact').map(({ properties }) => properties['LastName'])).toEqual(['Our own buyer'])
    expect(told).toEqual([expect.stringContaining('recycle bin'), expect.stringContaining('people attached')])
    expect(await session.erase(ids)).toBe(0)
  })

  test('leads of an account go in batches, however many are due', async () => {
    const { open } = await org()
    const session = open({ bulk_from: 1 })
    expect(session.bulk).toBeUndefined()
    expect(session.leadsPerPush).toBe(2 * Number(salesforceAccountSubject.leadsPerWrite))
  })

  test('what a plan says of the calls is what a push makes of them: both objects are read, and 75 rows go in a call', async () => {
    const { open, sandbox } = await org()
    const session = open()
    const first = Array.from({ length: 151 }, (_, n) => companyLead(n))
    const inPushes = async (leads: readonly OutgoingLead[]) => [
      ...(await session.push(leads.slice(0, session.leadsPerPush))),
      ...(await session.push(leads.slice(session.leadsPerPush))),
    ]
    const told = await inPushes(first)
    const before = sandbox.calls().length
    await inPushes(first.map((_, n) => afterPush(companyLead(n, { City: 'Margao' }), told[n])))
    expect(sandbox.calls().length - before).toBe(7)
    expect(session.callsFor?.(151, 151)).toBe(7)
  })

  test('jsforce keeps accounts and their contacts in the sandbox as in an org; with an account goes what hangs on it', async () => {
    const { settings, of } = await org()
    const client = await connect(settings)
    const account = await client.sobject('Account').create({ Name: 'Zuari Foods', BillingCity: 'Margao' })
    expect(account).toMatchObject({ success: true, id: expect.stringMatching(/^001/) })
    const refused = client.sobject('Contact').create({ LastName: 'Kamat', AccountId: '001000000000000AAA' })
    await expect(refused).rejects.toMatchObject({ errorCode: 'INVALID_CROSS_REFERENCE_KEY' })
    await client.sobject('Contact').create({ LastName: 'Kamat', AccountId: String(account.id) })
    const asked = await client.query(`SELECT Name FROM Account WHERE BillingCity = 'Margao'`)
    expect(asked.records).toMatchObject([{ Name: 'Zuari Foods' }])
    const described = await client.sobject('Account').describe()
    expect([described.keyPrefix, described.createable]).toEqual(['001', true])
    await client.sobject('Account').destroy(String(account.id))
    expect(of('Contact')).toEqual([])
  })
})
