/**
 * What the pages for people name is there: files, links, variables, operations, scripts of npm, and the commands that are told in
 * a sentence. Those of shell blocks are handed to the program by test/unit/cli/shown-commands.test.ts.
 */
import { existsSync, globSync, readFileSync } from 'node:fs'
import { join, normalize } from 'node:path'
import { describe, expect, test } from 'vitest'
import packageJson from '../../../package.json' with { type: 'json' }
import { openApiDocument } from '../../../src/api/document.ts'
import { allCommands, buildProgram } from '../../../src/cli/program.ts'
import { EnvSchema } from '../../../src/settings/env.ts'
import { operationsIn } from '../../support/openapi.ts'

const root = join(import.meta.dirname, '../../..')
const textOf = (path: string) => readFileSync(join(root, path), 'utf8')
const pages = globSync(['docs/*.md', 'docs/decisions/*.md', 'connectors/*/README.md', 'README.md', 'SECURITY.md'], {
  cwd: root,
}).sort()
// Its recipes name what they make; test/integration/recipes follows them.
const withRecipes = [...pages, 'CONTRIBUTING.md']
const isThere = (path: string) => existsSync(join(root, path))
/** `--dir src/ingest/check/match` is the beginning of a file's name. */
const beginsFile = (path: string) => isThere(path) || isThere(`${path}.ts`)

const roots = 'src|config|connectors|sandboxes|sample|jobs|migrations|test|docs|web|bench|scripts|ops|client|bin'
/** What a build makes is there once it ran. */
const built = ['web/dist']
const pathsIn = (text: string) =>
  [...text.matchAll(new RegExp(`\`((?:${roots})/[^\`\\s]*)\``, 'g'))]
    .map(([, path = '']) => path)
    .filter((path) => !/[<>*{}…]/.test(path) && !built.includes(path))

/** As GitHub makes them of headings. */
const anchorsIn = (text: string) =>
  [...text.matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .trim()
      .replace(/\s/g, '-'),
  )

describe.each(withRecipes)('%s', (page) => {
  const text = textOf(page)

  test('names files that are there', () => {
    if (page !== 'CONTRIBUTING.md') expect(pathsIn(text).filter((path) => !beginsFile(path))).toEqual([])
  })

  test('links to what is there', () => {
    const links = [...text.matchAll(/\]\((?!https?:|mailto:)([^)\s]*)\)/g)].map(([, link = '']) => link)
    const broken = links.filter((link) => {
      const [path = '', anchor] = link.split('#')
      const target = path === '' ? page : normalize(join(page, '..', path))
      return !isThere(target) || (anchor !== undefined && !anchorsIn(textOf(target)).includes(anchor))
    })
    expect(broken).toEqual([])
  })
})

/** Variables that the server has no part in, and where they are read. */
const others: Readonly<Record<string, string>> = {
  PANJI_URL: 'client/example.ts',
  PANJI_API_KEY: 'client/example.ts',
  PANJI_PORT: 'compose.yaml',
  PANJI_PROPERTY_SEED: 'test/support/property-seed.ts',
  PANJI_SF_CLI: 'test/conformance/clients/use-salesforce-cli.ts',
  PANJI_OTELCOL: 'test/support/otel-collector.ts',
  PANJI_BROWSER: 'test/support/browser.ts',
  PANJI_RELEASES: 'scripts/keep-release.ts',
  PANJI_TEST_FOLDER: 'test/support/files-in-memory.ts',
  PANJI_FAULT_SEED: 'test/faults/support/seeds.ts',
  PANJI_FAULT_SEEDS: 'test/faults/support/seeds.ts',
  PANJI_FAULT_MINUTES: 'test/faults/support/seeds.ts',
}

test('every variable that a page names is one that the program reads', () => {
  for (const [name, file] of Object.entries(others)) expect(textOf(file), file).toMatch(new RegExp(`\\b${name}\\b`))
  const known = [...Object.keys(EnvSchema.shape), ...Object.keys(others)]
  const named = withRecipes.flatMap((page) =>
    [...textOf(page).matchAll(/\bPANJI_[A-Z_]*[A-Z]\b(?!_)/g)].map(([name]) => `${page}: ${name}`),
  )
  expect(named.length).toBeGreaterThan(40)
  expect([...new Set(named)].filter((each) => !known.includes(each.split(': ')[1] ?? ''))).toEqual([])
})

/** Notices of the processor, and a vendor's own call; neither is in the document. */
const elsewhere = ['POST /webhooks/payments', 'POST /crm/v3/objects/contacts/gdpr-delete']

test('every operation that a page names is one of the document', async () => {
  const known = operationsIn(await openApiDocument()).map(({ name }) => new RegExp(`^${patternOf(name)}$`))
  const named = pages.flatMap((page) =>
    [...textOf(page).matchAll(/\b(?:GET|POST|PUT|PATCH|DELETE) \/[^\s`'",;:)|?]*/g)]
      .map(([name]) => name.replace(/[./]+$/, ''))
      .filter((name) => !/[*…<]|\{\w+,/.test(name))
      .map((name) => ({ page, name })),
  )
  expect(named.length).toBeGreaterThan(60)
  expect(named.filter(({ name }) => !elsewhere.includes(name) && !known.some((each) => each.test(name)))).toEqual([])
})

/** `{id}` of the document is `{id}`, `{order_id}` or `12` in a sentence. */
const patternOf = (name: string) => name.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '(?:\\{\\w+\\}|[\\w-]+)')

test('every script of npm that a page names is one of package.json', () => {
  const named = withRecipes.flatMap((page) =>
    [...textOf(page).matchAll(/npm run ([\w:-]+)/g)].map(([, name = '']) => name),
  )
  expect(named.length).toBeGreaterThan(10)
  expect(named.filter((name) => !(name in packageJson.scripts))).toEqual([])
})

const program = await buildProgram(async () => {})
const optionsOf = new Map(
  allCommands(program).map((command) => [
    wordsOf(command),
    ['--help', '--version', ...command.options.map(({ long }) => long ?? '')],
  ]),
)

/** What a code span asks of a command that no command has; the words of a command are those before its first argument. */
function wrongIn(text: string): string[] {
  const words = text.split(/\s+/)
  const told = words.slice(0, words.findIndex((word) => !/^[a-z][a-z|-]*$/.test(word)) >>> 0)
  return alternatives(told).flatMap((each) => {
    const known = [each.slice(0, 3), each.slice(0, 2), each.slice(0, 1)].find((some) => optionsOf.has(some.join(' ')))
    const options = optionsOf.get(known?.join(' ') ?? '')
    if (!options) return [text]
    const asked = [...text.matchAll(/(?<![\w-])--[a-z][a-z-]*/g)].map(([option]) => option)
    return asked.filter((option) => !options.includes(option)).map((option) => `${text}: ${option}`)
  })
}

test('every command that a sentence names exists, with the options that follow it', () => {
  const told = pages.flatMap((page) => [...textOf(page).matchAll(/`(?:npx )?panji ([a-z][^`]*)`/g)])
  expect(told.length).toBeGreaterThan(100)
  expect(told.flatMap(([, text = '']) => wrongIn(text))).toEqual([])
})

test('a command or an option that is none is noticed', () => {
  expect(['runs', 'undo 12 --through', 'destination add|update'].flatMap(wrongIn)).toEqual([])
  expect(
    ['run', 'undo 12 --trough', 'destination add|upset x --name y'].map((text) => wrongIn(text).length > 0),
  ).toEqual([...[true, true, true]])
})

function wordsOf(command: { name(): string; readonly parent: unknown }): string {
  const parent = command.parent as Parameters<typeof wordsOf>[0] | null
  return parent === null || parent.parent === null ? command.name() : `${wordsOf(parent)} ${command.name()}`
}

/** `destination add|update` tells of two commands. */
const alternatives = (words: readonly string[]): string[][] =>
  words.reduce<string[][]>((told, word) => told.flatMap((each) => word.split('|').map((one) => [...each, one])), [[]])
