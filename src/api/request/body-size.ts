/**
 * The maximum size of a body that matches a schema, known before a byte of it is read: the bytes of its longest
 * spelling, and its members and entries. Unbounded schemas are unbounded here.
 */
import type { z } from 'zod'
import { bare, type SchemaNode, schemaNode } from './member-rule.ts'

export interface BodySize {
  readonly bytes: number
  readonly entries: number
}

/** A character may be written \uXXXX. */
const bytesPerCharacter = 6
/** A number, true, false or null. */
const scalarBytes = 32
/** Comma, line break and indentation of a member or an entry. */
const layoutBytes = 32
/** For a text with a bounded pattern: an ID, a moment, a hash. */
const shapeCharacters = 128
const endless: BodySize = { bytes: Number.POSITIVE_INFINITY, entries: Number.POSITIVE_INFINITY }

const sizes = new WeakMap<z.ZodType, BodySize>()

export function bodySizeOf(schema: z.ZodType): BodySize {
  const known = sizes.get(schema)
  if (known) return known
  const root = schemaNode(schema)
  const size = sizeOf(root, root, [])
  sizes.set(schema, size)
  return size
}

/** @param within the enclosing nodes: a recursive one is unbounded. */
function sizeOf(given: SchemaNode, root: SchemaNode, within: readonly SchemaNode[]): BodySize {
  const node = bare(given, root)
  if (within.includes(node)) return endless
  const inner = (member: SchemaNode) => sizeOf(member, root, [...within, node])
  const values = node.enum ?? (node.const === undefined ? undefined : [node.const])
  if (values) return ofText(Math.max(...values.map((value) => JSON.stringify(value).length)))
  if (node.anyOf) return node.anyOf.map(inner).reduce(larger)
  switch (node.type) {
    case 'string':
      return ofText(node.maxLength ?? (hasEnd(node) ? shapeCharacters : Number.POSITIVE_INFINITY))
    case 'array':
      return ofList(inner(node.items ?? {}), node.maxItems ?? Number.POSITIVE_INFINITY)
    case 'object':
      return ofObject(node, inner)
    case 'number':
    case 'integer':
    case 'boolean':
    case 'null':
      return { bytes: scalarBytes, entries: 0 }
    default:
      return endless
  }
}

const endlessQuantifier = /[*+]|\{\d+,\}/

const hasEnd = ({ pattern = '' }: SchemaNode): boolean =>
  /^\^.*\$$/.test(pattern) && !endlessQuantifier.test(pattern.replace(/\\.|\[[^[\]]*\]/g, ''))

const ofText = (characters: number): BodySize => ({ bytes: 2 + characters * bytesPerCharacter, entries: 0 })

function ofList(item: BodySize, itemsMax: number): BodySize {
  if (itemsMax === 0) return ofText(0)
  return { bytes: 2 + itemsMax * (item.bytes + layoutBytes), entries: itemsMax * (item.entries + 1) }
}

function ofObject(
  { properties = {}, additionalProperties: others }: SchemaNode,
  inner: (node: SchemaNode) => BodySize,
): BodySize {
  if (others !== undefined && others !== false) return endless
  return Object.entries(properties)
    .map(([name, member]) => ({ name, ...inner(member) }))
    .reduce(
      (all, { name, bytes, entries }) => ({
        bytes: all.bytes + ofText(name.length).bytes + bytes + layoutBytes,
        entries: all.entries + 1 + entries,
      }),
      ofText(0),
    )
}

const larger = (one: BodySize, other: BodySize): BodySize => ({
  bytes: Math.max(one.bytes, other.bytes),
  entries: Math.max(one.entries, other.entries),
})
