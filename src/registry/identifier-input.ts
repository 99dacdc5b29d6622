/** Canonicalizes identifiers that callers type, or reports the wrong character: as a 422, or as the reason. */
import { bareIdentifier } from '../domain/bare-identifier.ts'
import { parseCompanyId } from '../domain/company-id.ts'
import { parseDin } from '../domain/din.ts'
import { parseGstin } from '../domain/gstin.ts'
import { quoted, visible } from '../domain/visible.ts'
import { AppError } from '../errors.ts'

/** The character class of each position of a CIN: L or U, digits, letters. */
const cinPlaces = 'K#####@@####@@@######'
const placeNames: Readonly<Record<string, readonly [RegExp, string]>> = {
  K: [/[LU]/, 'L or U'],
  '#': [/\d/, 'a digit'],
  '@': [/[A-Z]/, 'a letter'],
}

export type IdentifierReading =
  | { readonly ok: true; readonly value: string }
  | { readonly ok: false; readonly reason: string }

/** CIN, LLPIN (with or without hyphen), FLLPIN or FCRN, in any case. */
export function readCompanyId(text: string): IdentifierReading {
  const id = parseCompanyId(text)
  return id ? { ok: true, value: id.value } : { ok: false, reason: cinFault(bareIdentifier(text)) }
}

export function readGstin(text: string): IdentifierReading {
  const reading = parseGstin(text)
  if (reading.ok) return reading
  const compact = bareIdentifier(text)
  if (reading.fault === 'check_digit') {
    const reason = `its last character is a check digit and should be ${reading.expected}, not ${compact.at(-1)}`
    return { ok: false, reason }
  }
  if (reading.fault === 'state_code') {
    return { ok: false, reason: `no state has the code ${compact.slice(0, 2)}, its first two digits` }
  }
  const reason =
    compact.length === 15
      ? 'its characters fit no kind of registration: state code, PAN, entity number, Z, check digit'
      : `a GSTIN has 15 characters, this has ${compact.length}`
  return { ok: false, reason }
}

export function companyIdFrom(text: string, parameter = 'cin'): string {
  const reading = readCompanyId(text)
  if (reading.ok) return reading.value
  throw malformed('CIN', text, parameter, reading.reason)
}

export function gstinFrom(text: string, parameter = 'gstin'): string {
  const reading = readGstin(text)
  if (reading.ok) return reading.value
  throw malformed('GSTIN', text, parameter, reading.reason)
}

/** A DIN of fewer than eight digits has lost its leading zeros, which are restored. */
export function dinFrom(text: string, parameter = 'din'): string {
  const din = parseDin(text)
  if (din !== undefined) return din
  const reason = /^\s*0+\s*$/.test(text)
    ? 'no DIN consists of zeros alone'
    : 'a DIN has up to eight digits and nothing else'
  throw malformed('DIN', text, parameter, reason)
}

function cinFault(compact: string): string {
  if (compact.length !== cinPlaces.length) {
    return `a CIN has 21 characters, this has ${compact.length}; LLPINs look like AAC-3965, FCRNs like F01234`
  }
  const wrong = [...cinPlaces].findIndex((place, index) => !placeNames[place]?.[0].test(compact.charAt(index)))
  const wanted = placeNames[cinPlaces.charAt(wrong)]?.[1] ?? 'another character'
  return `character ${wrong + 1} of a CIN is ${wanted}, not ${visible(compact.charAt(wrong))}`
}

function malformed(kind: string, text: string, parameter: string, reason: string): AppError {
  return new AppError('UNPROCESSABLE', `${parameter} "${quoted(text, 40)}" is not a ${kind}: ${reason}.`, {
    extra: { parameter },
  })
}
