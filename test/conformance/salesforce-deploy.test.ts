/** The vendor's own client deploys the fields for an administrator into the sandbox: all of a package or nothing, and told why. */
import { expect, test } from 'vitest'
import { ZipFile } from 'yazl'
import { connect, useOrgs } from './salesforce-org.ts'

const org = useOrgs()
const namespace = 'xmlns="http://soap.sforce.com/2006/04/metadata"'
const element = (name: string, inner: string) => `<${name}>${inner}</${name}>`
const field = (name: string, length: number) =>
  element('fields', `<fullName>${name}</fullName><label>${name}</label><length>${length}</length><type>Text</type>`)
const fieldsOf = (...fields: readonly string[]) => `<CustomObject ${namespace}>${fields.join('')}</CustomObject>`
const permissions = `<PermissionSet ${namespace}><label>People</label><fieldPermissions><field>Lead.PAN__c</field></fieldPermissions></PermissionSet>`

function zipOf(files: Readonly<Record<string, string>>): Promise<Buffer> {
  const zip = new ZipFile()
  for (const [name, text] of Object.entries(files)) zip.addBuffer(Buffer.from(text), name)
  zip.end()
  return Array.fromAsync(zip.outputStream as AsyncIterable<Buffer>).then((chunks) => Buffer.concat(chunks))
}

async function deployed(client: Awaited<ReturnType<typeof connect>>, files: Readonly<Record<string, string>>) {
  const { id } = await client.metadata.deploy(await zipOf(files), {})
  return client.metadata.checkDeployStatus(String(id), true)
}
const namesOf = async (client: Awaited<ReturnType<typeof connect>>) =>
  (await client.describe('Lead')).fields.map(({ name }) => name)

test('a package of fields and a permission set is there once it is deployed, and deployed again it changes nothing', async () => {
  const { sandbox, running } = await org()
  const client = await connect(running.settings('salesforce'))
  const files = {
    'objects/Lead.object': fieldsOf(field('PAN__c', 10), field('GSTIN__c', 15)),
    'permissionsets/People.permissionset': permissions,
  }
  const first = await deployed(client, files)
  expect(first).toMatchObject({ done: true, success: true, status: 'Succeeded', numberComponentsDeployed: 3 })
  expect(await namesOf(client)).toEqual(expect.arrayContaining(['PAN__c', 'GSTIN__c']))
  const names = await namesOf(client)
  expect(await deployed(client, files)).toMatchObject({ success: true })
  expect(await namesOf(client)).toEqual(names)
  const shown = JSON.stringify(sandbox.calls())
  expect(shown).toContain('checkDeployStatus')
  expect(shown, 'no credential stands in the list of calls').not.toContain(client.accessToken)
})

test.each([
  [{ 'objects/Lead.object': fieldsOf(field('PAN__c', 10), field('LLPIN__c', 900)) }, /beyond 1 to 255/],
  [{ 'objects/Lead.object': fieldsOf(field('PAN__c', 10), field('LLPIN', 7)) }, /__c/],
  [{ 'objects/Lead.object': fieldsOf(field('PAN__c', 10)), 'objects/Boat.object': fieldsOf(field('A__c', 9)) }, /Boat/],
  [{ 'objects/Lead.object': fieldsOf(field('PAN__c', 10)), 'permissionsets/P.permissionset': '<a/>' }, /label/],
])('of a package with a fault nothing is there, and the fault is told %#', async (files, problem) => {
  const { running } = await org()
  const client = await connect(running.settings('salesforce'))
  const told = await deployed(client, files as Readonly<Record<string, string>>)
  expect(told).toMatchObject({ done: true, success: false, status: 'Failed', numberComponentErrors: 1 })
  const [fault] = [told.details?.componentFailures ?? []].flat()
  expect(fault?.problem).toMatch(problem)
  expect(await namesOf(client)).not.toContain('PAN__c')
})

test('a package that is only validated is reported as valid, and nothing of it is deployed', async () => {
  const { running } = await org()
  const client = await connect(running.settings('salesforce'))
  const zip = await zipOf({ 'objects/Lead.object': fieldsOf(field('PAN__c', 10)) })
  const { id } = await client.metadata.deploy(zip, { checkOnly: true })
  expect(await client.metadata.checkDeployStatus(String(id), true)).toMatchObject({ success: true, checkOnly: true })
  expect(await namesOf(client)).not.toContain('PAN__c')
})

test('nobody deploys without a session, without the right to, or what is no zip file', async () => {
  const { running } = await org()
  const client = await connect(running.settings('salesforce'))
  await expect(client.metadata.deploy(Buffer.from('no zip file'), {})).rejects.toThrow('INVALID_ZIP')
  const files = await zipOf({ 'objects/Lead.object': fieldsOf(field('PAN__c', 10)) })
  await expect(client.metadata.checkDeployStatus('0Af000000000009AAA')).rejects.toThrow('INVALID_ID_FIELD')
  client.accessToken = 'made-up'
  await expect(client.metadata.deploy(files, {})).rejects.toThrow('INVALID_SESSION_ID')
})

test('a user who may not change the data model deploys nothing', async () => {
  const { running } = await org({ mayCreateFields: false })
  const client = await connect(running.settings('salesforce'))
  const files = await zipOf({ 'objects/Lead.object': fieldsOf(field('PAN__c', 10)) })
  await expect(client.metadata.deploy(files, {})).rejects.toThrow('INSUFFICIENT_ACCESS')
})
