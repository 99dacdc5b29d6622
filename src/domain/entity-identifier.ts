/** Parses identifiers of the three kinds as people write them, to canonical form or to what is wrong with them. */
import { parseCompanyId } from './company-id.ts'
import { parseDin } from './din.ts'
import { parseGstin } from './gstin.ts'
import { type EntityType, entityTypes, externalIdOf } from './identity.ts'

export type IdentifierReading =
  | { readonly ok: true; readonly identifier: string }
  /** `message` continues a sentence that begins with the place of the identifier. */
  | { readonly ok: false; readonly message: string }

export function readIdentifier(type: EntityType, text: string): IdentifierReading {
  switch (type) {
    case 'company': {
      const id = parseCompanyId(text)
      return id ? { ok: true, identifier: id.value } : { ok: false, message: 'is not a well-formed CIN or LLPIN' }
    }
    case 'director': {
      const din = parseDin(text)
      return din ? { ok: true, identifier: din } : { ok: false, message: 'is not a well-formed DIN (eight digits)' }
    }
    case 'gst': {
      const reading = parseGstin(text)
      if (reading.ok) return { ok: true, identifier: reading.value }
      const hint = reading.expected === undefined ? '' : `: its check digit should be ${reading.expected}`
      return { ok: false, message: `is not a valid GSTIN${hint}` }
    }
  }
}

/** In the spelling of the registers; text that is no identifier of the type stays as it is, and no record has it. */
export function registerSpelling(type: EntityType, text: string): string {
  const reading = readIdentifier(type, text)
  return reading.ok ? reading.identifier : text
}

/** The same where the type is not known: the spellings of every type. */
export const registerSpellings = (text: string): string[] => [
  ...new Set(entityTypes.map((type) => registerSpelling(type, text))),
]

/** The identities in CRMs of a record that a person names by `gst:GSTIN`, or by the identifier alone. */
export function externalIdsNamed(text: string): string[] {
  const [, prefix, identifier = text] = /^\s*(\w+)\s*:(.*)$/s.exec(text) ?? []
  const types = entityTypes.filter((type) => prefix === undefined || type === prefix.toLowerCase())
  return types.map((type) => externalIdOf(type, registerSpelling(type, identifier)))
}
