/** Parses identifiers of the three kinds as people write them, to canonical form or to what is wrong with them. */
import { parseCompanyId } from './company-id.ts'
import { parseDin } from './din.ts'
import { parseGstin } from './gstin.ts'
import type { EntityType } from './identity.ts'

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
