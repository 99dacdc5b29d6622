/**
 * The one translator from a schema failure of a request to an error in sentences: which member, what it must be, what
 * was sent, an example. It is the validator of every route, so that the messages of the schema library reach no one.
 *
 * A malformed request is a 400. A refinement with `contentFault` says that the shape is right but the content is not; a
 * request with no other faults is then a 422.
 */
import type { FastifySchemaCompiler } from 'fastify'
import type { z } from 'zod'
import { quoted } from '../../domain/visible.ts'
import { AppError } from '../../errors.ts'
import { type NameFault, nameFault, namesOf } from './known-names.ts'
import { exampleAt, nodeAt, ruleOf, type SchemaNode, schemaNode } from './member-rule.ts'
import { cameAs } from './shown.ts'

/** `params` of a refinement whose failure is a 422. */
export const contentFault = { contentFault: true } as const

/** Placeholder where a schema has no message of its own. */
const unsaid = ''
const shownMax = 5
/** A body can have a hundred thousand faults: beyond this many they are only counted. */
export const listedMax = 20

interface Fault extends Partial<Pick<NameFault, 'suggestion'>> {
  /** `items[0].number`, safe to show. */
  readonly field: string
  readonly message: string
}

interface Refused {
  readonly root: SchemaNode
  readonly data: unknown
  readonly place: Place
}

const places = { querystring: 'query', params: 'path', headers: 'headers', body: 'body' } as const
type Place = (typeof places)[keyof typeof places]

export const requestValidator: FastifySchemaCompiler<z.ZodType> = ({ schema, httpPart }) => {
  const place = Object.entries(places).find(([part]) => part === httpPart)?.[1] ?? 'body'
  return (data: unknown) => {
    const read = place === 'query' || place === 'path' ? inDigitsAlone(data, schemaNode(schema)) : data
    const result = schema.safeParse(read, { error: () => unsaid })
    if (result.success) return { value: result.data }
    return { error: requestFault(result.error.issues, { root: schemaNode(schema), data, place }) }
  }
}

/** A whole number is sent as text, in digits: `0x10`, `1e1` and ` 5` are numbers only to JavaScript. */
function inDigitsAlone(data: unknown, root: SchemaNode): unknown {
  if (typeof data !== 'object' || data === null) return data
  const isOdd = ([name, value]: [string, unknown]) =>
    typeof value === 'string' && !/^-?\d+$/.test(value) && nodeAt(root, [name]).type === 'integer'
  const odd = Object.entries(data).filter(isOdd)
  return odd.length === 0 ? data : { ...data, ...Object.fromEntries(odd.map(([name]) => [name, Number.NaN])) }
}

function requestFault(raised: readonly z.core.$ZodIssue[], refused: Refused): AppError {
  const issues = raised.flatMap(withinForm)
  const unknown: ReturnType<typeof unknownMembers> = []
  let unknownCount = 0
  for (const issue of issues) {
    if (issue.code !== 'unrecognized_keys') continue
    unknownCount += issue.keys.length
    const room = listedMax - unknown.length
    if (room > 0) unknown.push(...unknownMembers({ ...issue, keys: issue.keys.slice(0, room) }, refused))
  }
  const meant = new Set(unknown.map(({ path, suggestion }) => pathText([...path, suggestion ?? ''])))
  const rest = issues.filter(({ code }) => code !== 'unrecognized_keys')
  const listed = rest.slice(0, 2 * listedMax)
  const others = listed
    .map((issue): Fault => ({ field: pathText(issue.path), message: sentence(issue, refused) }))
    // A misspelt member is not reported as missing as well.
    .filter(({ field, message }) => !(meant.has(field) && message.startsWith(`${field} is missing`)))
  const isContent =
    unknown.length === 0 && issues.every((issue) => issue.code === 'custom' && issue.params === contentFault)
  const omitted = unknownCount - unknown.length + rest.length - listed.length
  return faultsError([...unknown, ...others], refused.place, isContent ? 'UNPROCESSABLE' : 'BAD_REQUEST', omitted)
}

/** Where only one of several forms has the members that were sent, its faults are reported. */
function withinForm(issue: z.core.$ZodIssue): readonly z.core.$ZodIssue[] {
  if (issue.code !== 'invalid_union') return [issue]
  const meant = issue.errors.filter((faults) =>
    faults.every(({ code, path }) => path.length > 0 || (code !== 'unrecognized_keys' && code !== 'invalid_type')),
  )
  const [faults] = meant
  if (meant.length !== 1 || !faults) return [issue]
  return faults.map((fault) => ({ ...fault, path: [...issue.path, ...fault.path] })).flatMap(withinForm)
}

/** @param omitted number of faults that are not listed. */
export function faultsError(
  raised: readonly Fault[],
  place: Place,
  code: 'BAD_REQUEST' | 'UNPROCESSABLE' = 'BAD_REQUEST',
  omitted = 0,
): AppError {
  // A value may break several rules that share one sentence.
  const once = new Map(raised.map((fault) => [`${fault.field} ${fault.message}`, fault]))
  const faults = [...once.values()]
  const left = faults.length + omitted - shownMax
  const more = left > 0 ? [`There are ${left} more faults.`] : []
  const detail = [...faults.slice(0, shownMax).map(({ message }) => message), ...more].join(' ')
  const [first] = faults
  const errors = faults.slice(0, listedMax).map(({ field, message }) => ({
    field: field === '' ? place : `${place}.${field}`,
    message,
  }))
  return new AppError(code, detail, {
    extra: {
      ...(first?.field ? { parameter: first.field } : {}),
      ...(first?.suggestion === undefined ? {} : { suggestion: first.suggestion }),
      errors,
    },
  })
}

function unknownMembers({ path, keys }: z.core.$ZodIssueUnrecognizedKeys, { root, place }: Refused) {
  const known = namesOf(Object.keys(nodeAt(root, path).properties ?? {}))
  return keys.map((name) => {
    const written = path.length === 0 ? name : `${pathText(path)}.${name}`
    const kind = place === 'query' ? 'parameter' : 'member'
    return { path, ...nameFault({ written, name, kind, known, elsewhere: new Map() }) }
  })
}

function sentence(issue: z.core.$ZodIssue, { root, data, place }: Refused): string {
  const { path, message } = issue
  const node = nodeAt(root, path)
  const what = path.length === 0 ? `The ${place}` : pathText(path)
  const value = valueAt(data, path)
  const example = exampleText(exampleAt(root, path), path, place)
  if (value === undefined || (path.length === 0 && value === null)) {
    return `${what} is missing; it must be ${ruleOf(node)}.${example}`
  }
  const shown = { name: String(path.at(-1) ?? ''), isText: place !== 'body', type: node.type }
  const came = (node.anyOf && formCame(value)) ?? cameAs(value, shown)
  if (message === unsaid) return `${what} must be ${ruleOf(node)}; ${came}.${example}`
  return message.startsWith('must ') || message.startsWith('is ')
    ? `${what} ${message}; ${came}.${example}`
    : `${what}: ${message}.`
}

/** The members show which of several forms is meant. */
function formCame(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
  const names = Object.keys(value).map((name) => quoted(name, 60))
  if (names.length === 0) return 'an empty object came'
  return `an object with ${names.slice(0, shownMax).join(', ')} came`
}

const exampleMax = 300

function exampleText(example: unknown, path: readonly PropertyKey[], place: Place): string {
  if (example === undefined) return ''
  const text = place === 'query' ? `${pathText(path)}=${String(example)}` : JSON.stringify(example)
  return text.length > exampleMax ? '' : ` For example ${text}.`
}

function valueAt(data: unknown, path: readonly PropertyKey[]): unknown {
  let value = data
  for (const step of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return undefined
    value = Reflect.get(value, step) as unknown
  }
  return value
}

/** `items[0].number`, as people write it. */
function pathText(path: readonly PropertyKey[]): string {
  return path
    .map((step) => (typeof step === 'number' ? `[${step}]` : `.${quoted(String(step), 60)}`))
    .join('')
    .replace(/^\./, '')
}
