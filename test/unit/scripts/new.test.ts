/** `npm run new`: what the recipes of CONTRIBUTING.md write, under a name of one's own, in a copy of the tree. */
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, expect, test } from 'vitest'
import { writeNew } from '../../../scripts/new.ts'
import { renameOf } from '../../../scripts/new-names.ts'
import { copyTree } from '../../support/recipe.ts'

const { tree, remove } = copyTree(['web/src/app', 'test/unit/house/import-rules.ts'])
afterAll(remove)
const read = (path: string) => readFileSync(join(tree, path), 'utf8')
/** What the copied tree answers to a program of a line. */
const asked = (path: string, program: string): unknown => {
  const text = `const m = await import(${JSON.stringify(pathToFileURL(join(tree, path)).href)}); console.log(JSON.stringify(${program}))`
  return JSON.parse(execFileSync(process.execPath, ['--input-type=module', '--eval', text], { encoding: 'utf8' }))
}

test('a column has its migration, its header, its rule and its field', () => {
  const commands = writeNew(tree, ['column', 'filed-late'])
  expect(commands).toContain('npm run client')
  const [migration = ''] = readdirSync(join(tree, 'migrations')).filter((name) => name.endsWith('_filed_late.sql'))
  expect(read(`migrations/${migration}`)).toContain('ADD COLUMN filed_late text;')
  expect(asked('config/sources/mca-companies.ts', 'm.mcaCompanies.columns.filed_late')).toEqual({
    kind: 'text',
    from: 'filedLate',
  })
  expect(read('config/fields/company.ts')).toContain("filed_late: text('filedLate'")
})

test('a source is declared and listed, has its table, its rights and a fixture', () => {
  writeNew(tree, ['source', 'pin-zones'])
  expect(asked('config/sources/index.ts', 'm.sources.at(-1)')).toMatchObject({
    ...{ name: 'pin-zones', entity: 'pin-zone', table: 'reference.pin_zone' },
  })
  expect(read('migrations/roles/grants.sql')).toContain('GRANT SELECT ON reference.pin_zone TO panji_api;')
  expect(read('test/fixtures/registries/pin-zones.csv')).toContain('IFSC')
})

test('a connector is a copy of the example under its own name, and listed', () => {
  writeNew(tree, ['connector', 'shared-drive'])
  expect(asked('connectors/shared-drive/connector.ts', "m.sharedDrive('/tmp').name")).toBe('shared-drive')
  expect(read('connectors/index.ts')).toContain("import { sharedDrive } from './shared-drive/connector.ts'")
  expect(read('test/conformance/shared-drive.test.ts')).toContain("crm: 'shared-drive'")
})

test('an operation is one of the API, of a resource that there was or of a new one', () => {
  writeNew(tree, ['operation', 'watchlists', 'tally'])
  writeNew(tree, ['operation', 'price-lists', 'tally'])
  const ids = "m.operations.map(({ id, path }) => id + ' ' + path)"
  expect(asked('src/api/operations/index.ts', ids)).toEqual(
    expect.arrayContaining(['tallyWatchlists /api/watchlists/tally', 'tallyPriceLists /api/price-lists/tally']),
  )
})

test('an event has its data, its e-mail and its checkbox on the page', () => {
  writeNew(tree, ['event', 'order.reopened'])
  expect(asked('src/notify/event-types.ts', "m.events['order.reopened'].mailWaitsSeconds")).toBe(0)
  expect(asked('src/notify/mails/mail-text.ts', "m.mailText('order.reopened', { order_id: 'x' }).text")).toContain('x')
  expect(read('web/src/app/hear/event-choice.ts')).toContain("'order.reopened':")
})

test.each([
  ['nothing', ['table', 'x'], /none of column/],
  ['no name', ['source'], /takes 1 name/],
  ['a name of another form', ['column', 'FiledLate'], /takes 1 name/],
  ['a name that there is', ['operation', 'watchlists', 'list'], /there already/],
])('%s is refused, and nothing is written', (_, words, message) => {
  const before = read('src/api/operations/watchlists/index.ts')
  expect(() => writeNew(tree, words)).toThrow(message)
  expect(read('src/api/operations/watchlists/index.ts')).toBe(before)
})

test('a name is written as the example is, within other names too, and no other word changes', () => {
  const rename = renameOf('bank-branches', 'fee-heads')
  expect(rename('bankBranches bank_branch BANK_BRANCHES listBankBranches branches of a bank')).toBe(
    'feeHeads fee_head FEE_HEADS listFeeHeads branches of a bank',
  )
  expect(renameOf('count', 'tally')('countWatchlists of accountId')).toBe('tallyWatchlists of accountId')
})
