/** Salesforce's own command line at an administrator's work in the sandbox; clients/salesforce-cli.ts has its commands one by one. */
import { cpSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { type CliAnswer, cliIsThere, cliReason, useSalesforceCli } from './clients/use-salesforce-cli.ts'

describe.skipIf(!cliIsThere)(`the Salesforce command line${cliReason}`, () => {
  const cli = useSalesforceCli()
  const sf = (...words: readonly string[]) => cli().sf(...words)
  const box = ['--target-org', 'box']

  test('imports a file in bulk, and says what failed', { timeout: 120_000 }, async () => {
    const good = join(cli().home, 'good.csv')
    writeFileSync(good, 'LastName,Company\nKamat,Mandovi\nPrabhu,Mandovi\n')
    const done = await sf('data', 'import', 'bulk', ...box, '-s', 'Lead', '-f', good, '-w', '2', '--line-ending', 'LF')
    expect(done).toMatchObject({ status: 0, result: { processedRecords: 2, successfulRecords: 2, failedRecords: 0 } })
    const bad = join(cli().home, 'bad.csv')
    writeFileSync(bad, 'LastName,Company\n,Mandovi\nShenoy,Mandovi\n')
    const partly = await sf('data', 'import', 'bulk', ...box, '-s', 'Lead', '-f', bad, '-w', '2', '--line-ending', 'LF')
    expect(partly.status).not.toBe(0)
    expect(
      cli()
        .sandbox.records()
        .map(({ properties }) => properties['LastName']),
    ).toContain('Shenoy')
  })

  const packages = 'connectors/salesforce'
  const deploy = (folder: string) =>
    cli().sfIn(folder, 'project', 'deploy', 'start', ...box, '--source-dir', 'force-app', '--ignore-conflicts')

  test.each([
    { folder: 'package', object: 'Lead', field: 'GSTIN__c', permissionSet: 'Panji_Delivery' },
    { folder: 'package-accounts', object: 'Account', field: 'CIN__c', permissionSet: 'Panji_Delivery_Accounts' },
  ])('deploys $folder, and again without a change', { timeout: 120_000 }, async ({ folder, object, field, ...of }) => {
    const copy = join(cli().home, folder)
    cpSync(join(packages, folder), copy, { recursive: true })
    const first = await deploy(copy)
    expect(first).toMatchObject({ status: 0, result: { status: 'Succeeded', success: true, numberComponentErrors: 0 } })
    const components = statesOf(first)
    expect(components.get(`${object}.${field}`)).toBe('Created')
    expect(components.get(of.permissionSet)).toBe('Created')
    const described = await sf('sobject', 'describe', ...box, '-s', object)
    expect((described.result as { fields: { name: string }[] }).fields.map(({ name }) => name)).toContain(field)
    const again = await deploy(copy)
    expect(again).toMatchObject({ status: 0, result: { success: true } })
    expect([...statesOf(again).values()]).not.toContain('Created')
    expect(JSON.stringify(cli().sandbox.calls()), 'no credential stands in the list of calls').not.toContain(
      cli().accessToken,
    )
  })

  test.each([
    { folder: 'package', permissionSet: 'Panji_Delivery' },
    { folder: 'package-accounts', permissionSet: 'Panji_Delivery_Accounts' },
  ])(
    'assigns the permission set of $folder to a user, once, and names one that is none',
    {
      timeout: 120_000,
    },
    async ({ folder, permissionSet }) => {
      const copy = join(cli().home, `assigned-${folder}`)
      cpSync(join(packages, folder), copy, { recursive: true })
      expect((await deploy(copy)).status).toBe(0)
      const user = 'sandbox@panji.example'
      const assign = (name: string, to = user) =>
        sf('org', 'assign', 'permset', '--name', name, '--on-behalf-of', to, ...box)
      expect(await assign(permissionSet)).toMatchObject({
        status: 0,
        result: { successes: [{ name: user, value: permissionSet }], failures: [] },
      })
      const query = (soql: string) => sf('data', 'query', ...box, '-q', soql)
      const sets = await query(`SELECT Id FROM PermissionSet WHERE Name = '${permissionSet}'`)
      const [set] = (sets.result as { records: { Id: string }[] }).records
      const assigned = await query(`SELECT Id FROM PermissionSetAssignment WHERE PermissionSetId = '${set?.Id}'`)
      expect(assigned).toMatchObject({ status: 0, result: { totalSize: 1 } })
      expect((await assign(permissionSet)).result).toMatchObject({ successes: [], failures: [{ name: user }] })
      expect(JSON.stringify(await assign('Nobody_Has_This'))).toContain('Nobody_Has_This')
      expect((await assign(permissionSet, 'nobody@panji.example')).status).not.toBe(0)
    },
  )

  test('is told which field of a package is at fault, and then nothing of it is there', {
    timeout: 120_000,
  }, async () => {
    const copy = join(cli().home, 'faulty')
    cpSync(join(packages, 'package'), copy, { recursive: true })
    const fields = join(copy, 'force-app/main/default/objects/Contact/fields')
    cpSync(join(copy, 'force-app/main/default/objects/Lead/fields'), fields, { recursive: true })
    const bad =
      '<CustomField xmlns="http://soap.sforce.com/2006/04/metadata"><fullName>PAN__c</fullName><label>PAN</label>'
    writeFileSync(join(fields, 'PAN__c.field-meta.xml'), `${bad}<length>900</length><type>Text</type></CustomField>`)
    const refused = await deploy(copy)
    expect(refused.status).not.toBe(0)
    expect(JSON.stringify(refused)).toContain("Can not specify 'length' beyond 1 to 255")
    const described = await sf('sobject', 'describe', ...box, '-s', 'Contact')
    expect(JSON.stringify(described.result)).not.toContain('GSTIN__c')
  })
})

function statesOf({ result }: CliAnswer): ReadonlyMap<string, string> {
  const { files } = result as { files: { fullName: string; state: string }[] }
  return new Map(files.map(({ fullName, state }) => [fullName, state]))
}
