/** Validates the values of one row as HubSpot does: unknown properties, types, options, e-mail addresses, spaces. */
import { isOwner } from './owners.ts'
import type { ValueFault } from './replies.ts'
import type { SandboxState, StoredProperty } from './state.ts'

const textLengthMax = 65_536
const emailShape = /^[A-Za-z0-9._%+!#$&*/=?^`{|}~-]+@(?:[A-Za-z0-9-]+\.)+([A-Za-z]{2,}|xn--[A-Za-z0-9-]+)$/
const readOnly = new Set(['hs_object_id', 'hs_lastmodifieddate'])
/** Without exponents, which are rejected. */
const numberShape = /^-?(\d+(\.\d*)?|\.\d+)$/
/** Names that are never top-level domains (RFC 2606, RFC 6762). */
const noTopLevelDomains = new Set(['invalid', 'test', 'localhost', 'local', 'internal'])

export function valueFaults(
  state: SandboxState,
  object: string,
  values: Readonly<Record<string, unknown>>,
): readonly ValueFault[] {
  const byName = new Map((state.properties[object] ?? []).map((definition) => [definition.name, definition]))
  return Object.entries(values).flatMap(([name, value]) => {
    const definition = byName.get(name)
    if (!definition) return [fault(name, 'PROPERTY_DOESNT_EXIST', `Property "${name}" does not exist`)]
    if (readOnly.has(name) || definition.modificationMetadata?.readOnlyValue === true)
      return [fault(name, 'READ_ONLY_VALUE', `"${name}" is a read only property; its value cannot be set.`)]
    if (value === null || value === '') return []
    const text = typeof value === 'string' ? value : JSON.stringify(value)
    const found = faultOfText(state, object, definition, text)
    return found ? [found] : []
  })
}

function faultOfText(
  state: SandboxState,
  object: string,
  { name, type, options, referencedObjectType }: StoredProperty,
  text: string,
): ValueFault | undefined {
  if (type !== 'string' && text !== text.trim())
    return fault(name, 'LEADING_TRAILING_WHITESPACE', `${text} has leading or trailing whitespace`)
  if (text.length > textLengthMax)
    return fault(name, 'VALUE_TOO_LONG', `${name} is longer than ${textLengthMax} characters`)
  if (object === 'contacts' && name === 'email' && !isEmail(text))
    return fault(name, 'INVALID_EMAIL', `Email address ${text} is invalid`)
  if (type === 'number' && !numberShape.test(text))
    return fault(name, 'INVALID_INTEGER', `${text} was not a valid number.`)
  if (type === 'date' && !isMidnight(text)) return fault(name, 'INVALID_DATE', `${text} is not a day at midnight UTC`)
  if (type === 'bool' && text !== 'true' && text !== 'false')
    return fault(name, 'INVALID_BOOLEAN', `${text} was not a valid boolean.`)
  if (referencedObjectType === 'OWNER')
    return isOwner(state, text) ? undefined : fault(name, 'INVALID_OWNER_ID', `Owner ${text} does not exist`)
  if (type === 'enumeration' && !options.some(({ value }) => value === text)) {
    const allowed = JSON.stringify(options.map(({ value }) => value))
    return fault(name, 'INVALID_OPTION', `${text} was not one of the allowed options: ${allowed}`)
  }
  return undefined
}

function isEmail(text: string): boolean {
  const topLevel = emailShape.exec(text)?.[1]
  return topLevel !== undefined && !noTopLevelDomains.has(topLevel.toLowerCase())
}

/** `2015-05-01`, or milliseconds of a midnight in UTC. */
function isMidnight(text: string): boolean {
  const instant = /^-?\d+$/.test(text) ? Number(text) : Date.parse(`${text}T00:00:00Z`)
  return Number.isFinite(instant) && instant % 86_400_000 === 0
}

function fault(name: string, error: string, message: string): ValueFault {
  return { isValid: false, message, error, name }
}
