/**
 * The worst bodies of up to a mebibyte that an operation may be sent, generated from its schema and from generic
 * shapes, at every level: none of them is valid.
 */
import type { Schema } from './openapi.ts'

const bytesMax = 1_000_000
/** Below the size limit of every operation. */
const readBytesMax = 16_000
/** Of those that are wrong in one member: there are many of them. */
const memberBytesMax = 150_000

export interface WorstBody {
  readonly what: string
  readonly text: string
}

/**
 * @param root resolves references: the OpenAPI document. @param levels how many levels below the body's own members are
 * tried, too.
 */
export function worstBodies(schema: Schema, root: object, levels = 0): WorstBody[] {
  const bodies: WorstBody[] = [
    { what: 'unknown members', text: objectOf((n) => `"m${n}":0`) },
    { what: 'some unknown members', text: objectOf((n) => `"m${n}":{}`, readBytesMax) },
    { what: 'some unknown members of names that are nearly right', text: objectOf(nearly(schema, root), readBytesMax) },
    { what: 'unknown members of long names', text: objectOf((n) => `"${'y'.repeat(900)}${n}":0`) },
    { what: 'a list', text: listOf('0') },
    { what: 'empty objects', text: listOf('{}') },
    { what: 'a long text', text: JSON.stringify('x'.repeat(bytesMax - 10)) },
    { what: 'depth', text: '['.repeat(60_000) },
  ]
  for (const [name, member] of Object.entries(membersOf(schema, root))) {
    const wrap = (text: string) => `{${JSON.stringify(name)}:${text}}`
    const items = membersOf((bare(member, root)['items'] ?? {}) as Schema, root)
    const unknown = Array.from({ length: 20 }, (_, n) => `"u${n}":1`).join(',')
    const long = Object.keys(items).map((each) => `${JSON.stringify(each)}:${JSON.stringify('z'.repeat(900))}`)
    const atMost = Number(bare(member, root)['maxItems'] ?? 1_000)
    bodies.push(
      { what: `${name}: numbers`, text: wrap(listOf('0', memberBytesMax)) },
      { what: `${name}: some numbers`, text: wrap(listOf('0', readBytesMax)) },
      { what: `${name}: as many wrong entries as are allowed`, text: wrap(listOf('{}', memberBytesMax, atMost)) },
      {
        what: `${name}: as many unknown members as are allowed`,
        text: wrap(listOf(`{${unknown}}`, memberBytesMax, atMost)),
      },
      {
        what: `${name}: as many overlong entries as are allowed`,
        text: wrap(listOf(`{${long.join(',')}}`, memberBytesMax, atMost)),
      },
      { what: `${name}: overlong texts`, text: wrap(listOf(JSON.stringify('z'.repeat(900)), memberBytesMax, atMost)) },
      { what: `${name}: a text without end`, text: wrap(JSON.stringify('x'.repeat(memberBytesMax))) },
      ...inside(member, root, { what: name, put: wrap, levels }),
      { what: `${name}: members`, text: wrap(objectOf((n) => `"m${n}":{}`, memberBytesMax)) },
    )
  }
  return bodies
}

/** Deeper: lists and texts inside the entries of lists, and members inside members. */
function inside(outer: Schema, root: object, at: Place): WorstBody[] {
  if (at.levels === 0) return []
  const node = bare(outer, root)
  const isList = node['items'] !== undefined
  const members = { ...membersOf(outer, root), ...membersOf((node['items'] ?? {}) as Schema, root) }
  return Object.entries(members).flatMap(([name, schema]) => {
    const what = `${at.what}.${name}`
    const put = (text: string) => {
      const member = `{${JSON.stringify(name)}:${text}}`
      return at.put(isList ? `[${member}]` : member)
    }
    const atMost = Number(bare(schema, root)['maxItems'] ?? 10_000)
    return [
      { what: `${what}: wrong entries`, text: put(listOf('{}', memberBytesMax, atMost)) },
      { what: `${what}: overlong texts`, text: put(listOf(JSON.stringify('z'.repeat(900)), memberBytesMax, atMost)) },
      { what: `${what}: a text without end`, text: put(JSON.stringify('x'.repeat(memberBytesMax))) },
      { what: `${what}: members`, text: put(objectOf((n) => `"m${n}":{}`, memberBytesMax)) },
      ...inside(schema, root, { what, put, levels: at.levels - 1 }),
    ]
  })
}

/** The position in a body that gets a text. */
interface Place {
  readonly what: string
  readonly levels: number
  put(text: string): string
}

function objectOf(member: (n: number) => string, most = bytesMax): string {
  const members: string[] = []
  for (let bytes = 0, n = 0; bytes < most; n++) {
    const next = member(n)
    members.push(next)
    bytes += next.length + 1
  }
  return `{${members.slice(0, -1).join(',')}}`
}

/** Long names, for the did-you-mean comparison. */
function nearly(schema: Schema, root: object): (n: number) => string {
  const names = Object.keys(membersOf(schema, root))
  return (n) => `"${(names[n % names.length] ?? 'name').slice(0, 50)}_${n}":0`
}

function listOf(entry: string, most = bytesMax, atMost = Number.POSITIVE_INFINITY): string {
  const length = Math.min(atMost, Math.floor(most / (entry.length + 1)) - 1)
  return `[${`${entry},`.repeat(length).slice(0, -1)}]`
}

function membersOf(schema: Schema, root: object): Readonly<Record<string, Schema>> {
  const node = bare(schema, root)
  const forms = [node, ...((node['anyOf'] ?? node['oneOf'] ?? []) as Schema[]).map((form) => bare(form, root))]
  return Object.assign({}, ...forms.map((form) => form['properties'] ?? {})) as Readonly<Record<string, Schema>>
}

function bare(schema: Schema, root: object): Schema {
  const { $ref } = schema
  if (typeof $ref !== 'string') return schema
  const path = $ref.replace('#/', '').split('/')
  return path.reduce<unknown>((at, step) => (at as Record<string, unknown>)[step], root) as Schema
}
