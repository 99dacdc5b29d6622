/**
 * The OpenAPI document in the hands of others: two linters find nothing, and two generators make clients of it that
 * compile strictly. The client of `client/` is the first generator's; its own test holds it to the document.
 */
import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import spectralCore, { type RulesetDefinition } from '@stoplight/spectral-core'
import spectralRulesets from '@stoplight/spectral-rulesets'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { renderTypes } from '../../client/render-types.ts'
import { openApiDocument } from '../../src/api/document.ts'

const run = promisify(execFile)
const root = fileURLToPath(new URL('../../', import.meta.url))
const slow = 240_000
let folder: string
let path: string
let document: object

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'panji-document-'))
  path = join(folder, 'openapi.json')
  // The server names itself by the address at which it is reached.
  document = { ...(await openApiDocument()), servers: [{ url: 'http://127.0.0.1:8080' }] }
  await writeFile(path, JSON.stringify(document))
})
afterAll(() => rm(folder, { recursive: true }))

async function redocly(document: string): Promise<unknown> {
  const config = join(folder, 'redocly.yaml')
  await writeFile(config, JSON.stringify({ extends: ['recommended'], telemetry: 'off' }))
  const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' }
  const tool = [join(root, 'node_modules/@redocly/cli/bin/cli.js'), 'lint', document]
  // It ends with 1 where it found an error.
  const { stdout } = await run(process.execPath, [...tool, '--config', config, '--format', 'json'], { env }).catch(
    (error: { stdout: string }) => error,
  )
  const { totals, problems } = JSON.parse(stdout) as { totals: object; problems: { ruleId: string; message: string }[] }
  return { totals, problems: problems.map(({ ruleId, message }) => `${ruleId}: ${message}`) }
}

test('Redocly finds neither an error nor a warning, and finds one that is put there', { timeout: slow }, async () => {
  expect(await redocly(path)).toEqual({ totals: { errors: 0, warnings: 0, ignored: 0 }, problems: [] })
  const broken = join(folder, 'broken.json')
  await writeFile(broken, JSON.stringify({ ...document, servers: [] }))
  expect(await redocly(broken)).toMatchObject({ totals: { errors: 1 } })
})

test('Spectral finds neither an error nor a warning, and finds one that is put there', { timeout: slow }, async () => {
  const spectral = new spectralCore.Spectral()
  // Its type lacks the optional `extends` that the definition of a ruleset asks for.
  spectral.setRuleset(spectralRulesets.oas as RulesetDefinition)
  const codes = async (checked: object) =>
    (await spectral.run(checked as Record<string, unknown>)).map(({ code, path: at }) => [code, at.join('/')])
  // The fields of the screener are told with an example each, which is none of the document's.
  const field = 'paths//api/screener/fields/get/responses/200/content/application/json/example/data/0/example'
  expect(await codes(document)).toEqual([['oas3-valid-schema-example', field]])
  // Its head is enough: the whole costs seconds once more.
  const { securitySchemes } = (document as { components: Record<string, object> }).components
  const head = { ...document, paths: {}, components: { securitySchemes }, servers: [] }
  expect(await codes(head)).toEqual([['oas3-api-servers', 'servers']])
})

test('two generators make clients that compile strictly', { timeout: slow }, async () => {
  await run(process.execPath, [join(root, 'test/support/generate-client.ts'), path, join(folder, 'generated')])
  await writeFile(join(folder, 'types.ts'), await renderTypes(document))
  const library = ['es2024', 'dom', 'dom.iterable']
  const compilerOptions = {
    strict: true,
    noEmit: true,
    target: 'es2024',
    module: 'esnext',
    moduleResolution: 'bundler',
  }
  const options = { ...compilerOptions, lib: library, types: [], noUncheckedIndexedAccess: true, skipLibCheck: false }
  const named = `import type { CompanyDetails, GetCompanyDetailsResponse, LeadNested, Order, Watchlist } from './generated/index.ts'
import type { components } from './types.ts'
export const orders = (order: Order): components['schemas']['Order'] => order
export const lists = (list: Watchlist): components['schemas']['Watchlist'] => list
export const nested = (lead: LeadNested): components['schemas']['LeadNested'] => lead
export const details = (answer: GetCompanyDetailsResponse): CompanyDetails => answer.data
`
  await writeFile(join(folder, 'named.ts'), named)
  const config = { compilerOptions: { ...options, allowImportingTsExtensions: true }, include: ['.'] }
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(config))
  // In one run: the compiler finds what is wrong, and nothing in any other file.
  await writeFile(join(folder, 'wrong.ts'), named.replace('CompanyDetails => answer.data', 'Order => answer.data'))
  const compiled = run(join(root, 'node_modules/.bin/tsc'), ['-p', folder], { cwd: folder })
  const { stdout } = await compiled.catch((error: { stdout: string }) => error)
  const faulty = stdout.split('\n').filter((line) => /^\S/.test(line))
  expect(faulty).not.toEqual([])
  expect(faulty.filter((line) => !line.startsWith('wrong.ts('))).toEqual([])
})
