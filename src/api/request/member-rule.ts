/**
 * What a member of a request must be, in words, with an example: derived from the JSON Schema of the document, so that
 * the document and the errors say the same.
 */
import { z } from 'zod'
import { grouped } from '../../domain/counted.ts'

export interface SchemaNode {
  readonly type?: string
  readonly format?: string
  readonly pattern?: string
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly SchemaNode[]
  readonly $ref?: string
  readonly $defs?: Readonly<Record<string, SchemaNode>>
  readonly properties?: Readonly<Record<string, SchemaNode>>
  readonly required?: readonly string[]
  /** For members whose names are the caller's. */
  readonly additionalProperties?: SchemaNode | boolean
  readonly items?: SchemaNode
  readonly examples?: readonly unknown[]
  readonly default?: unknown
  readonly minimum?: number
  readonly maximum?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly minItems?: number
  readonly maxItems?: number
}

type Path = readonly PropertyKey[]

const nodes = new WeakMap<z.ZodType, SchemaNode>()

export function schemaNode(schema: z.ZodType): SchemaNode {
  const known = nodes.get(schema)
  if (known) return known
  const node = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as SchemaNode
  nodes.set(schema, node)
  return node
}

/**
 * The node of a member, without references and without the null that makes a body optional; empty where there is none.
 */
export function nodeAt(root: SchemaNode, path: Path): SchemaNode {
  let node = bare(root, root)
  for (const step of path) {
    // Of several forms the first that has such a member.
    const [next] = formsOf(node, root).flatMap((form) => memberOf(form, step) ?? [])
    if (!next) return {}
    node = bare(next, root)
  }
  return node
}

/** A node and all its alternatives, at any depth. */
function formsOf(node: SchemaNode, root: SchemaNode): readonly SchemaNode[] {
  return [node, ...(node.anyOf ?? []).flatMap((form) => formsOf(bare(form, root), root))]
}

function memberOf(node: SchemaNode, step: PropertyKey): SchemaNode | undefined {
  if (typeof step === 'number') return node.items
  const { additionalProperties: others } = node
  return ownMember(node.properties, String(step)) ?? (typeof others === 'object' ? others : undefined)
}

/** A node without references and without the null that makes it optional. */
export function bare(given: SchemaNode, root: SchemaNode): SchemaNode {
  const name = given.$ref?.replace('#/$defs/', '')
  const target = name === undefined ? undefined : name === '#' ? root : ownMember(root.$defs, name)
  const node = inForms(target ?? given)
  const present = node.anyOf?.filter(({ type }) => type !== 'null')
  return present?.length === 1 && present[0] ? { ...bare(present[0], root), ...examplesOf(node) } : node
}

/** Forms with nothing but a type are written as a list of types. */
function inForms(node: SchemaNode): SchemaNode {
  const { type, ...rest } = node as Omit<SchemaNode, 'type'> & { readonly type?: string | readonly string[] }
  return Array.isArray(type) ? { ...rest, anyOf: type.map((each: string) => ({ type: each })) } : node
}

const examplesOf = ({ examples }: SchemaNode) => (examples ? { examples } : {})

function ownMember<T>(record: Readonly<Record<string, T>> | undefined, name: string): T | undefined {
  return record && Object.hasOwn(record, name) ? record[name] : undefined
}

/** "a whole number from 1 to 100" */
export function ruleOf(node: SchemaNode): string {
  if (node.const !== undefined) return JSON.stringify(node.const)
  if (node.enum) return `one of ${node.enum.map((each) => JSON.stringify(each)).join(', ')}`
  if (node.anyOf) return anyRuleOf(node.anyOf)
  switch (node.type) {
    case 'string':
      return `a text${lengthOf(node.minLength, node.maxLength, 'characters')}`
    case 'integer':
      return `a whole number${rangeOf(node)}`
    case 'number':
      return `a number${rangeOf(node)}`
    case 'boolean':
      return 'true or false'
    case 'array':
      return `a list${lengthOf(node.minItems, node.maxItems, 'items')}`
    case 'object':
      return 'an object'
    case 'null':
      return 'null'
    default:
      return 'described in the document of this API'
  }
}

/** "an object with api_key, or with code" */
function anyRuleOf(forms: readonly SchemaNode[]): string {
  const members = forms.map(({ required = [] }) => required.join(' and '))
  if (members.includes('') || forms.some(({ type }) => type !== 'object')) return forms.map(ruleOf).join(' or ')
  return `an object with ${members.join(', or with ')}`
}

/** Beyond these, only the format limits a number. */
const unbounded = Number.MAX_SAFE_INTEGER

function rangeOf({ minimum: least, maximum: most }: SchemaNode): string {
  const from = least !== undefined && least > -unbounded ? grouped(least) : undefined
  const to = most !== undefined && most < unbounded ? grouped(most) : undefined
  if (from !== undefined) return to === undefined ? ` of at least ${from}` : ` from ${from} to ${to}`
  return to === undefined ? '' : ` of at most ${to}`
}

function lengthOf(least: number | undefined, most: number | undefined, what: string): string {
  if (most !== undefined)
    return least ? ` of ${least} to ${grouped(most)} ${what}` : ` of at most ${grouped(most)} ${what}`
  return least !== undefined && least > 1 ? ` of at least ${least} ${what}` : ''
}

/** The member's own example, or the one at its path in the example of a parent; undefined without any. */
export function exampleAt(root: SchemaNode, path: Path): unknown {
  const node = nodeAt(root, path)
  // The rule already lists the values.
  if (node.enum || node.const !== undefined) return undefined
  const own = node.examples?.[0] ?? node.default
  if (own !== undefined) return own
  let example = nodeAt(root, []).examples?.[0]
  for (const step of path) {
    if (typeof example !== 'object' || example === null) return undefined
    // Every item of a list is described by its first.
    example = Reflect.get(example, typeof step === 'number' ? 0 : step) as unknown
  }
  return example
}
