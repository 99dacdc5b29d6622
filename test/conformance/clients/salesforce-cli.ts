/** What administrators type of Salesforce's command line: records, files in bulk, packages, permission sets and what an org tells of itself. */
import { cpSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import type { CallElsewhere, ClientCall } from './client-call.ts'
import type { CliAnswer, SalesforceCli } from './use-salesforce-cli.ts'

type Call = ClientCall<SalesforceCli>
type Elsewhere = CallElsewhere<SalesforceCli>

const box = ['--target-org', 'box'] as const
const lead = [...box, '--sobject', 'Lead'] as const
const done = (result: unknown) => expect.objectContaining({ status: 0, result })
const some = (of: object) => expect.objectContaining(of)
const refused = (message: RegExp) => expect.objectContaining({ status: 1, message: expect.stringMatching(message) })

let made = 0
/** @returns the id of a lead of its own, and its name. */
async function newLead({ sf }: SalesforceCli): Promise<{ readonly id: string; readonly name: string }> {
  const name = `Naik${++made}`
  const { result } = await sf('data', 'create', 'record', ...lead, '--values', `LastName=${name} Company=Zuari`)
  return { id: (result as { id: string }).id, name }
}

const query = (cli: SalesforceCli, soql: string) => cli.sf('data', 'query', ...box, '--query', soql)

/** Of rows of a file, in one bulk job that is waited for. */
async function inBulk(
  cli: SalesforceCli,
  verb: string,
  rows: readonly string[],
  ...more: string[]
): Promise<CliAnswer> {
  const file = join(cli.home, `rows-${++made}.csv`)
  writeFileSync(file, rows.map((row) => `${row}\n`).join(''))
  return cli.sf('data', verb, 'bulk', ...lead, '--file', file, '--wait', '2', '--line-ending', 'LF', ...more)
}

/** A copy of the package of leads, in a folder of its own. */
function packageIn({ home }: SalesforceCli): string {
  const folder = join(home, `package-${++made}`)
  cpSync('connectors/salesforce/package', folder, { recursive: true })
  return folder
}

const project = (cli: SalesforceCli, folder: string, ...words: readonly string[]) =>
  cli.sfIn(folder, 'project', ...words, ...box)

const told: readonly Call[] = [
  { name: 'org list', run: ({ sf }) => sf('org', 'list'), gives: done(some({ other: [some({ alias: 'box' })] })) },
  {
    name: 'org display',
    run: ({ sf }) => sf('org', 'display', ...box),
    gives: done(some({ id: '00D000000000001EAA', connectedStatus: 'Connected' })),
  },
  {
    name: 'org list limits',
    run: ({ sf }) => sf('org', 'list', 'limits', ...box),
    gives: done(expect.arrayContaining([some({ name: 'DailyApiRequests', max: 100_000 })])),
  },
  { name: 'sobject list', run: ({ sf }) => sf('sobject', 'list', ...box), gives: done(['Lead', 'Account', 'Contact']) },
  {
    name: 'sobject describe',
    run: ({ sf }) => sf('sobject', 'describe', ...lead),
    gives: done(some({ name: 'Lead', createable: true })),
  },
  {
    name: 'api request rest',
    run: ({ sf }) => sf('api', 'request', 'rest', '/services/data/v66.0/limits', ...box),
    gives: done(some({ statusCode: 200 })),
  },
]

const records: readonly Call[] = [
  {
    name: 'data create record',
    run: ({ sf }) => sf('data', 'create', 'record', ...lead, '--values', 'LastName=Kamat Company=Mandovi'),
    gives: done(some({ success: true })),
  },
  {
    name: 'data create record without a required field',
    run: ({ sf }) => sf('data', 'create', 'record', ...lead, '--values', 'LastName=Kamat'),
    gives: refused(/Required fields are missing: \[Company\]/),
  },
  {
    name: 'data get record by id',
    run: async (cli) => cli.sf('data', 'get', 'record', ...lead, '--record-id', (await newLead(cli)).id),
    gives: done(some({ Company: 'Zuari' })),
  },
  {
    name: 'data get record by a value',
    run: async (cli) => cli.sf('data', 'get', 'record', ...lead, '--where', `LastName=${(await newLead(cli)).name}`),
    gives: done(some({ Company: 'Zuari' })),
  },
  {
    name: 'data update record',
    async run(cli) {
      const { id } = await newLead(cli)
      await cli.sf('data', 'update', 'record', ...lead, '--record-id', id, '--values', 'City=Panaji')
      return query(cli, `SELECT City FROM Lead WHERE Id = '${id}'`)
    },
    gives: done(some({ totalSize: 1, records: [some({ City: 'Panaji' })] })),
  },
  {
    name: 'data delete record',
    async run(cli) {
      const { id } = await newLead(cli)
      await cli.sf('data', 'delete', 'record', ...lead, '--record-id', id)
      return query(cli, `SELECT COUNT() FROM Lead WHERE Id = '${id}'`)
    },
    gives: done(some({ totalSize: 0 })),
  },
  {
    name: 'data query of a field that is none',
    run: (cli) => query(cli, 'SELECT Nope FROM Lead'),
    gives: refused(/No such column 'Nope'/),
  },
  {
    name: 'data export tree',
    async run(cli) {
      const { name } = await newLead(cli)
      const soql = `SELECT LastName, Company FROM Lead WHERE LastName = '${name}'`
      return cli.sf('data', 'export', 'tree', ...box, '--query', soql, '--output-dir', cli.home)
    },
    gives: done(some({ records: [some({ Company: 'Zuari' })] })),
  },
]

const bulk: readonly Call[] = [
  {
    name: 'data import bulk',
    run: (cli) => inBulk(cli, 'import', ['LastName,Company', 'Kamat,Mandovi', 'Prabhu,Mandovi']),
    gives: done(some({ processedRecords: 2, successfulRecords: 2, failedRecords: 0 })),
  },
  {
    name: 'data import bulk of a row without its name',
    run: (cli) => inBulk(cli, 'import', ['LastName,Company', ',Mandovi', 'Shenoy,Mandovi']),
    gives: expect.objectContaining({ status: 1 }),
  },
  {
    name: 'data update bulk',
    run: async (cli) => inBulk(cli, 'update', ['Id,City', `${(await newLead(cli)).id},Mapusa`]),
    gives: done(some({ successfulRecords: 1 })),
  },
  {
    name: 'data upsert bulk by id',
    run: async (cli) => {
      const { id } = await newLead(cli)
      const rows = ['Id,LastName,Company', `${id},Kamat,Zuari`, ',Prabhu,Mandovi']
      return inBulk(cli, 'upsert', rows, '--external-id', 'Id')
    },
    gives: done(some({ jobInfo: some({ numberRecordsProcessed: 2, numberRecordsFailed: 0 }) })),
  },
  {
    name: 'data upsert bulk by a field that is no external id',
    run: (cli) => inBulk(cli, 'upsert', ['City,LastName,Company', 'A,Kamat,Zuari'], '--external-id', 'City'),
    gives: refused(/City does not match an External ID/),
  },
  {
    name: 'data delete bulk',
    run: async (cli) => inBulk(cli, 'delete', ['Id', (await newLead(cli)).id]),
    gives: done(some({ jobInfo: some({ numberRecordsFailed: 0 }) })),
  },
  {
    name: 'data bulk results',
    async run(cli) {
      const { result } = await inBulk(cli, 'import', ['LastName,Company', 'Kamat,Mandovi'])
      return cli.sf('data', 'bulk', 'results', ...box, '--job-id', (result as { jobId: string }).jobId)
    },
    gives: done(some({ processedRecords: 1, successfulRecords: 1, status: 'JobComplete' })),
  },
]

const packages: readonly Call[] = [
  {
    name: 'project deploy start',
    run: (cli) => project(cli, packageIn(cli), 'deploy', 'start', '--source-dir', 'force-app'),
    gives: done(some({ status: 'Succeeded', success: true })),
  },
  {
    name: 'project deploy report',
    async run(cli) {
      const folder = packageIn(cli)
      await project(cli, folder, 'deploy', 'start', '--source-dir', 'force-app')
      return project(cli, folder, 'deploy', 'report', '--use-most-recent')
    },
    gives: done(some({ status: 'Succeeded', checkOnly: false })),
  },
  {
    name: 'project deploy validate',
    run: (cli) => project(cli, packageIn(cli), 'deploy', 'validate', '--source-dir', 'force-app'),
    gives: done(some({ status: 'Succeeded', checkOnly: true })),
  },
  {
    name: 'org assign permset',
    async run(cli) {
      await project(cli, packageIn(cli), 'deploy', 'start', '--source-dir', 'force-app')
      return cli.sf('org', 'assign', 'permset', '--name', 'Panji_Delivery', ...box)
    },
    gives: expect.objectContaining({ result: some({ successes: expect.any(Array) }) }),
  },
  {
    name: 'org assign permsetlicense that is none',
    run: ({ sf }) => sf('org', 'assign', 'permsetlicense', '--name', 'Nobody_Has_This', ...box),
    gives: some({ status: 1, result: some({ failures: [some({ message: expect.stringContaining('not found') })] }) }),
  },
]

/** Of the parts of Salesforce that no connector calls. */
export const cliElsewhere: readonly Elsewhere[] = [
  { name: 'org open', run: ({ sf }) => sf('org', 'open', ...box, '--url-only') },
  { name: 'org list sobject record-counts', run: ({ sf }) => sf('org', 'list', 'sobject', 'record-counts', ...lead) },
  { name: 'org list metadata-types', run: ({ sf }) => sf('org', 'list', 'metadata-types', ...box) },
  {
    name: 'org list metadata',
    run: ({ sf }) => sf('org', 'list', 'metadata', ...box, '--metadata-type', 'CustomObject'),
  },
  {
    name: 'data export bulk',
    run: ({ sf }) => sf('data', 'export', 'bulk', ...box, '--query', 'SELECT Id FROM Lead', '--output-file', 'out.csv'),
  },
  {
    name: 'data import tree',
    run({ sf, home }) {
      const attributes = { type: 'Lead', referenceId: 'one' }
      const file = join(home, 'tree.json')
      writeFileSync(file, JSON.stringify({ records: [{ attributes, LastName: 'Naik', Company: 'Zuari' }] }))
      return sf('data', 'import', 'tree', ...box, '--files', file)
    },
  },
  {
    name: 'data search',
    run: ({ sf }) => sf('data', 'search', ...box, '--query', 'FIND {Naik} IN NAME FIELDS RETURNING Lead(Id)'),
  },
  {
    name: 'apex run',
    run({ sf, home }) {
      const file = join(home, 'one.apex')
      writeFileSync(file, 'System.debug(1);\n')
      return sf('apex', 'run', ...box, '--file', file)
    },
  },
  {
    name: 'project retrieve start',
    run: (cli) => project(cli, packageIn(cli), 'retrieve', 'start', '--metadata', 'CustomField:Lead.GSTIN__c'),
  },
  {
    name: 'project deploy preview',
    run: (cli) => project(cli, packageIn(cli), 'deploy', 'preview', '--source-dir', 'force-app'),
  },
]

export const cliCalls: readonly Call[] = [...told, ...records, ...bulk, ...packages]
