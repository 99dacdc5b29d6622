/**
 * Mutations of a TypeScript file by its syntax tree: decisions, boundaries, sums, literals, calls for their effect, and
 * statements in templates. Types are skipped, and so is logging.
 */
import { parseSync } from 'oxc-parser'
import type { Mutation } from './mutation.ts'
import { sqlMutations } from './sql-mutations.ts'

interface Tree {
  readonly type: string
  readonly start: number
  readonly end: number
  readonly [part: string]: unknown
}

const boundaries: Readonly<Record<string, string>> = { '<': '<=', '<=': '<', '>': '>=', '>=': '>' }
const equalities: Readonly<Record<string, string>> = { '===': '!==', '!==': '===' }
const sums: Readonly<Record<string, string>> = { '+': '-', '-': '+', '*': '/', '/': '*' }
const logic: Readonly<Record<string, string>> = { '&&': '||', '||': '&&' }

/** @returns the mutations that still parse, in the order of the file. */
export function typescriptMutations(path: string, source: string): Mutation[] {
  const found: Mutation[] = []
  walk(parseSync(path, source).program, (node) => found.push(...ofNode(node, source)))
  return [...new Map(found.map((each) => [JSON.stringify(each), each])).values()]
    .filter(({ start, end, replacement }) => {
      const mutated = source.slice(0, start) + replacement + source.slice(end)
      return parseSync(path, mutated).errors.length === 0
    })
    .toSorted((a, b) => a.start - b.start || a.end - b.end)
}

function walk(node: unknown, look: (node: Tree) => void): void {
  if (typeof node !== 'object' || node === null) return
  if (Array.isArray(node)) {
    for (const each of node) walk(each, look)
    return
  }
  if (isTree(node)) {
    if (isOfTypes(node) || node.type === 'ImportDeclaration') return
    look(node)
  }
  for (const each of Object.values(node)) walk(each, look)
}

const isTree = (node: object): node is Tree => 'type' in node && 'start' in node

/** A type assertion contains an expression; other type syntax has no effect at run time. */
const isOfTypes = ({ type }: Tree): boolean =>
  type.startsWith('TS') && !/^TS(As|Satisfies|NonNull)Expression$/.test(type)

function ofNode(node: Tree, source: string): Mutation[] {
  const text = ({ start, end }: Tree): string => source.slice(start, end)
  const instead = (kind: string, { start, end }: Tree, replacement: string): Mutation => ({
    kind,
    start,
    end,
    replacement,
  })
  const part = (name: string): Tree => node[name] as Tree
  const operator = String(node['operator'])
  /** The operator alone, found between its operands. */
  const turned = (table: Readonly<Record<string, string>>): Mutation[] => {
    const other = table[operator]
    const start = source.indexOf(operator, part('left').end)
    if (other === undefined || start < 0) return []
    return [{ kind: `${operator} to ${other}`, start, end: start + operator.length, replacement: other }]
  }
  switch (node.type) {
    case 'IfStatement':
    case 'ConditionalExpression':
    case 'WhileStatement':
      return [instead('negate the condition', part('test'), `!(${text(part('test'))})`)]
    case 'LogicalExpression':
      return turned(logic)
    case 'BinaryExpression': {
      const sides = [part('left'), part('right')]
      if (sums[operator] !== undefined) return sides.some(isText) ? [] : turned(sums)
      const literals = equalities[operator] === undefined ? [] : sides.filter(isText)
      return [
        ...turned(boundaries),
        ...turned(equalities),
        ...literals.map((literal) => instead('another text in a comparison', literal, "'another text'")),
      ]
    }
    case 'Literal':
      return typeof node['value'] === 'boolean' ? [instead('turn a boolean', node, String(!node['value']))] : []
    case 'ArrayExpression':
      return (node['elements'] as unknown[]).length > 0 ? [instead('empty array', node, '[]')] : []
    case 'ExpressionStatement': {
      const { type } = part('expression')
      if (type === 'AwaitExpression') return [instead('remove an awaited call', node, ';')]
      return type === 'CallExpression' ? [instead('remove a call', node, ';')] : []
    }
    case 'FunctionDeclaration':
    case 'FunctionExpression':
    case 'ArrowFunctionExpression':
      return earlyReturn(node['body'] as Tree | null)
    case 'TaggedTemplateExpression':
      return part('tag')['name'] === 'sql' ? ofTemplate(part('quasi'), source) : []
    case 'TemplateLiteral':
      // Tagged templates are handled with their tag, whether or not they begin as a statement.
      return isStatement(node, source) ? ofTemplate(node, source) : []
    default:
      return []
  }
}

const isText = ({ type, value }: Tree): boolean =>
  type === 'TemplateLiteral' || (type === 'Literal' && typeof value === 'string')

const isStatement = ({ start, expressions }: Tree, source: string): boolean =>
  (expressions as unknown[]).length === 0 &&
  /^`\s*(SELECT|INSERT|UPDATE|DELETE|WITH)\b/.test(source.slice(start, start + 60))

function earlyReturn(body: Tree | null): Mutation[] {
  if (body?.type !== 'BlockStatement') return []
  const [first] = body['body'] as Tree[]
  if (first === undefined) return []
  return [{ kind: 'return early', start: body.start + 1, end: body.start + 1, replacement: ' return;' }]
}

/** An interpolation counts as one word of the statement. */
function ofTemplate(quasi: Tree, source: string): Mutation[] {
  const start = quasi.start + 1
  let text = source.slice(start, quasi.end - 1)
  for (const expression of quasi['expressions'] as Tree[]) {
    // With the `${` before it and the `}` behind.
    const [from, to] = [expression.start - start - 2, expression.end - start + 1]
    text = text.slice(0, from) + 'x'.repeat(to - from) + text.slice(to)
  }
  return sqlMutations(text, start)
}
