/** Identifies the records in a response by its members: one record, or a list of them under one of a few names. */

const listsOf = ['data', 'results', 'leads', 'items', 'lead'] as const
/**
 * A director's record also names companies, and a registration its company: the record's own identifier comes first.
 */
const namesOf = ['GSTIN', 'DIN', 'CIN', 'identifier', 'user_id', 'name'] as const

type Members = Readonly<Record<string, unknown>>
const isObject = (value: unknown): value is Members => typeof value === 'object' && value !== null

export function identifiersIn(payload: unknown): string[] {
  return recordsIn(payload).flatMap((record) => {
    const name = namesOf.find((each) => typeof record[each] === 'string')
    return name === undefined ? [] : [String(record[name])]
  })
}

function recordsIn(payload: unknown): Members[] {
  if (Array.isArray(payload)) return payload.filter(isObject)
  if (!isObject(payload)) return []
  const list = listsOf.find((name) => name in payload)
  if (list === undefined) return [payload]
  const held = payload[list]
  return Array.isArray(held) ? held.filter(isObject) : isObject(held) ? [held] : []
}
