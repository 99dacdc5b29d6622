/**
 * GSTIN: 15 characters, the last one a check digit. Shapes after the portal's published patterns
 * (developer.gst.gov.in); every kind below satisfies the same check digit except `temporary`.
 */
import { bareIdentifier } from './bare-identifier.ts'
import { states } from './states.ts'

export const gstinKinds = [
  'normal',
  'government',
  'tds',
  'tcs',
  'nrtp',
  'oidar',
  'uin',
  'practitioner',
  'temporary',
] as const
export type GstinKind = (typeof gstinKinds)[number]

/**
 * Order matters: the GSTIN of an e-commerce operator (…C…) also matches the normal shape, whose 14th character is
 * open.
 */
export const gstinShapes: readonly (readonly [GstinKind, RegExp])[] = [
  ['tcs', /^\d{2}[A-Z]{5}\d{4}[A-Z][1-9A-Z]C[0-9A-Z]$/],
  ['tds', /^\d{2}[A-Z]{4}[A-Z0-9]\d{4}[A-Z][1-9A-Z]D[0-9A-Z]$/],
  ['normal', /^\d{2}[A-Z]{5}\d{4}[A-Z][1-9A-Z][Z1-9ABD-J][0-9A-Z]$/],
  ['oidar', /^99\d{2}[A-Z]{3}\d{5}OS[0-9A-Z]$/],
  ['nrtp', /^\d{4}[A-Z]{3}\d{5}NR[0-9A-Z]$/],
  ['uin', /^\d{4}[A-Z]{3}\d{5}[UO]N[A-Z0-9]$/],
  ['practitioner', /^\d{2}[A-Z]{5}\d{4}[A-Z][0-9A-Z]GP$/],
  ['government', /^\d{2}[A-Z]{4}\d{5}[A-Z]\dZ\d$/],
  ['temporary', /^\d{12}TMP$/],
]

const stateCodes = new Set(states.flatMap(({ gstCodes }) => gstCodes))

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ'

/** The check digit of the first 14 characters, which must be digits and capital letters. */
export function gstinCheckDigit(first14: string): string {
  let sum = 0
  for (let index = 0; index < 14; index++) {
    const product = alphabet.indexOf(first14.charAt(index)) * (index % 2 === 0 ? 1 : 2)
    sum += Math.floor(product / 36) + (product % 36)
  }
  return alphabet.charAt((36 - (sum % 36)) % 36)
}

export type GstinFault = 'shape' | 'state_code' | 'check_digit'

export type GstinReading =
  | { readonly ok: true; readonly value: string; readonly kind: GstinKind; readonly pan: string | null }
  | { readonly ok: false; readonly fault: GstinFault; readonly expected?: string }

/** Parses a GSTIN as people type it; for a wrong check digit, returns the expected character. */
export function parseGstin(text: string): GstinReading {
  const value = bareIdentifier(text)
  const kind = gstinShapes.find(([, shape]) => shape.test(value))?.[0]
  if (!kind) return { ok: false, fault: 'shape' }
  if (!stateCodes.has(value.slice(0, 2))) return { ok: false, fault: 'state_code' }
  // Temporary and practitioner numbers have fixed letters in place of the check digit.
  if (kind !== 'temporary' && kind !== 'practitioner') {
    const expected = gstinCheckDigit(value)
    if (value.charAt(14) !== expected) return { ok: false, fault: 'check_digit', expected }
  }
  return { ok: true, value, kind, pan: embeddedPan(value, kind) }
}

/** Characters 3 to 12, for the kinds that are issued on a PAN; a TDS number may contain a TAN instead. */
function embeddedPan(value: string, kind: GstinKind): string | null {
  const candidate = value.slice(2, 12)
  const mayHold = kind === 'normal' || kind === 'tcs' || kind === 'tds'
  return mayHold && panShape.test(candidate) ? candidate : null
}

export const panShape = /^[A-Z]{3}[ABCFGHJLPT][A-Z]\d{4}[A-Z]$/
