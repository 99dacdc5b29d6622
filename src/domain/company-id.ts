/**
 * Identifiers of the company register: CIN, LLPIN, FLLPIN and FCRN. None has a check digit, so only the grammar can
 * be checked; new state and type letters may appear at any time.
 */
import { bareIdentifier } from './bare-identifier.ts'

export type CompanyIdKind = 'cin' | 'llpin' | 'fllpin' | 'fcrn'

export interface CompanyId {
  readonly kind: CompanyIdKind
  /** Canonical form: capitals, LLPINs with their hyphen. */
  readonly value: string
}

export interface CinParts {
  readonly listed: boolean
  /** Five digits; NIC-2004 in CINs issued before 2023, NIC-2008 after. */
  readonly nicCode: string
  readonly stateLetters: string
  /** Year of registration; differs from the date of incorporation after a re-registration. */
  readonly year: number
  readonly typeLetters: string
  readonly registrationNumber: string
}

const cinShape = /^([LU])(\d{5})([A-Z]{2})(\d{4})([A-Z]{3})(\d{6})$/
const shapes: readonly (readonly [CompanyIdKind, RegExp])[] = [
  ['cin', cinShape],
  ['llpin', /^[A-Z]{3}-\d{4}$/],
  ['fllpin', /^F[A-Z]{3}-\d{4}$/],
  ['fcrn', /^F\d{4,8}$/],
]

/** Parses an identifier as people type it: any case, surrounding spaces, LLPINs with or without hyphen. */
export function parseCompanyId(text: string): CompanyId | undefined {
  const compact = bareIdentifier(text)
  const value = compact.replace(/^(F?[A-Z]{3})(\d{4})$/, '$1-$2')
  const kind = shapes.find(([, shape]) => shape.test(value))?.[0]
  return kind && { kind, value }
}

/** @returns undefined for anything but a well-formed CIN in canonical form. */
export function cinParts(cin: string): CinParts | undefined {
  const match = cinShape.exec(cin)
  if (!match) return undefined
  const [, letter, nicCode = '', stateLetters = '', year = '', typeLetters = '', registrationNumber = ''] = match
  return { listed: letter === 'L', nicCode, stateLetters, year: Number(year), typeLetters, registrationNumber }
}
