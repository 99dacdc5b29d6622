/**
 * Tests of the pages name what they press, read and fill by its whole name. Playwright finds a string anywhere in a name, in whatever
 * case, so that “More” is “Show more”, too: such a test fails when the page shows one thing more. What names a part is an expression.
 */
import { globSync, readFileSync } from 'node:fs'
import { parseSync } from 'oxc-parser'
import { expect, test } from 'vitest'

const root = new URL('../../../', import.meta.url)

interface SyntaxNode {
  readonly type?: string
  readonly start: number
  readonly end: number
  readonly value?: unknown
  readonly regex?: object
  readonly callee?: { readonly name?: string; readonly property?: { readonly name?: string } }
  readonly arguments?: readonly SyntaxNode[]
  readonly properties?: readonly { readonly key?: { readonly name?: string }; readonly value: SyntaxNode }[]
}

const isExpression = ({ type, regex, callee }: SyntaxNode): boolean =>
  regex !== undefined || (type === 'NewExpression' && callee?.name === 'RegExp')
const propertyOf = (options: SyntaxNode | undefined, name: string): SyntaxNode | undefined =>
  options?.properties?.find(({ key }) => key?.name === name)?.value
const isExact = (options: SyntaxNode | undefined): boolean => propertyOf(options, 'exact')?.value === true
/** One word says a state; more of them are a part of a sentence, of which there is no other. */
const isOneWord = ({ value }: SyntaxNode): boolean => typeof value === 'string' && !/\s/.test(value.trim())

/** Whether a call of Playwright finds more than what it names. */
function isLoose({ callee, arguments: given = [] }: SyntaxNode): boolean {
  const [first, second] = given
  if (!first) return false
  switch (callee?.property?.name) {
    case 'getByRole': {
      if (!second) return false
      // What cannot be read here cannot be held.
      if (second.type !== 'ObjectExpression') return true
      const name = propertyOf(second, 'name')
      return name !== undefined && !isExpression(name) && !isExact(second)
    }
    case 'getByLabel':
      return !isExpression(first) && !isExact(second)
    case 'getByText':
      return isOneWord(first) && !isExact(second)
    default:
      return false
  }
}

function looseNames(path: string, source: string): string[] {
  const found: string[] = []
  const visit = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return
    const syntax = node as SyntaxNode
    if (syntax.type === 'CallExpression' && isLoose(syntax)) {
      const at = syntax.arguments?.[0]?.start ?? syntax.start
      found.push(`${path}:${source.slice(0, at).split('\n').length} ${source.slice(at, syntax.end - 1)}`)
    }
    for (const child of Object.values(node)) visit(child)
  }
  visit(parseSync(path, source).program)
  return found
}

test('whatever a test of the pages names by a string is named exactly', () => {
  const paths = globSync(['test/console/**/*.ts', 'test/support/*.ts', 'bench/*.ts'], { cwd: root })
  expect(paths.length).toBeGreaterThan(100)
  expect(paths.flatMap((path) => looseNames(path, readFileSync(new URL(path, root), 'utf8')))).toEqual([])
})

test.each([
  ["page.getByRole('button', { name: 'More' })", "'button', { name: 'More' }"],
  ["page.getByRole('button', { name: 'More', exact: false })", "'button', { name: 'More', exact: false }"],
  ["page.getByRole('heading', { level: 1, name })", "'heading', { level: 1, name }"],
  ["page.getByRole('heading', wanted)", "'heading', wanted"],
  ["page.getByLabel('Name')", "'Name'"],
  ['page.getByLabel(field)', 'field'],
  ["row.getByText('paused')", "'paused'"],
])('a planted %s is caught', (line, found) => {
  expect(looseNames('test/console/x.ts', line)).toEqual([`test/console/x.ts:1 ${found}`])
})

test.each([
  "page.getByRole('button', { name: 'More', exact: true })",
  "page.getByRole('button', { name: /^Buy \\d+ leads/ })",
  "page.getByRole('heading', { name: new RegExp(amount) })",
  "page.getByRole('heading', { level: 1 })",
  "page.getByRole('alert')",
  "page.getByLabel('Name', { exact: true })",
  "page.getByText('waits for its payment')",
])('%s passes', (line) => {
  expect(looseNames('test/console/x.ts', line)).toEqual([])
})
