/**
 * Messages for schema faults, for the person who wrote the value: each continues a sentence that begins with the
 * member's name. Passed to `safeParse`; a schema's own messages are kept. No value is repeated, as it may be a
 * secret.
 */
import type { z } from 'zod'

const kinds: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
  date: 'a date',
  null: 'null',
}
const formats: Readonly<Record<string, string>> = {
  url: 'an address such as https://example.com',
  email: 'an e-mail address',
  uuid: 'a UUID',
  date: 'a day written YYYY-MM-DD',
  datetime: 'a moment such as 2026-01-31T10:00:00Z',
}

type RawIssue = z.core.$ZodRawIssue

export function faultWords(issue: RawIssue): string {
  if (issue.input === undefined) return 'missing'
  switch (issue.code) {
    case 'invalid_type':
      return `must be ${kinds[issue.expected] ?? 'of another kind'}`
    case 'invalid_value':
      return `must be ${oneOf(issue.values)}`
    case 'unrecognized_keys':
      return `unknown ${issue.keys.length === 1 ? 'member' : 'members'} ${issue.keys.map((key) => JSON.stringify(key)).join(', ')}`
    case 'too_small':
      return `must ${amount(issue.origin, 'at least', issue.minimum)}`
    case 'too_big':
      return `must ${amount(issue.origin, 'at most', issue.maximum)}`
    case 'invalid_format':
      return formats[issue.format] === undefined ? 'has another form than it must' : `must be ${formats[issue.format]}`
    case 'invalid_union':
      return 'options' in issue && Array.isArray(issue.options)
        ? `must be ${oneOf(issue.options)}`
        : 'fits none of the forms that it may have'
    default:
      return 'does not fit'
  }
}

const oneOf = (values: readonly unknown[]): string =>
  values.length === 1 ? String(values[0]) : `one of ${values.map(String).join(', ')}`

function amount(origin: string, bound: string, limit: number | bigint): string {
  const things = { string: 'character', array: 'item', record: 'member', object: 'member' }[origin]
  return things === undefined
    ? `be ${bound} ${limit}`
    : `have ${bound} ${limit} ${things}${Number(limit) === 1 ? '' : 's'}`
}
