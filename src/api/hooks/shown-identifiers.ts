/**
 * Identifies the records in a response by its members: one record, or a list of them under one of a few names.
 *
 * A name of a person or of a thing is the last resort, for operators, who have nothing else: the audit log outlives
 * erasure, and a name finds nobody in it.
 */
import { identifierIn } from '../../domain/identity.ts'

const listsOf = ['data', 'results', 'leads', 'items', 'lead', 'rows', 'sample', 'receipt'] as const
/**
 * A director's record also names companies, and a registration its company: the record's own identifier comes first.
 */
const namesOf = ['GSTIN', 'DIN', 'CIN', 'identifier', 'record', 'user_id', 'number'] as const
/** Of the record itself: an entry of the audit log is not its account. */
const isId = (name: string): boolean => name === 'id' || (name.endsWith('_id') && name !== 'account_id')

type Members = Readonly<Record<string, unknown>>
const isObject = (value: unknown): value is Members => typeof value === 'object' && value !== null

export function identifiersIn(payload: unknown): string[] {
  return recordsIn(payload).flatMap((record) => {
    const name = nameOf(record)
    return name === undefined ? [] : [identifierIn(String(record[name]))]
  })
}

function nameOf(record: Members): string | undefined {
  const isText = (name: string) => typeof record[name] === 'string'
  return (
    namesOf.find(isText) ??
    Object.keys(record).find((each) => isId(each) && isText(each)) ??
    (isText('name') ? 'name' : undefined)
  )
}

function recordsIn(payload: unknown): Members[] {
  if (Array.isArray(payload)) return payload.filter(isObject)
  if (!isObject(payload)) return []
  const list = listsOf.find((name) => name in payload)
  if (list === undefined) return [payload]
  const held = payload[list]
  if (!isObject(held) || Array.isArray(held)) return recordsIn(held)
  // One record, or lists of them by what an import would do.
  return nameOf(held) === undefined
    ? Object.values(held).flatMap((each) => (Array.isArray(each) ? recordsIn(each) : []))
    : [held]
}
