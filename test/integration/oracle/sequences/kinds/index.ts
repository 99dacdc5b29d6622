/**
 * The registers that sequences are told of. Each seed is a sequence of every lane of its register: the ordinary run tells 500, the long
 * one forty times as many.
 */
import { companies } from './companies.ts'
import { contacts } from './contacts.ts'
import { directors } from './directors.ts'
import { directorships } from './directorships.ts'
import { gst } from './gst.ts'
import type { RegisterKind } from './kind.ts'
import { llps } from './llps.ts'

export const kinds: readonly { readonly kind: RegisterKind; readonly seeds: number }[] = [
  { kind: companies, seeds: 9 },
  { kind: llps, seeds: 7 },
  { kind: gst, seeds: 16 },
  { kind: directors, seeds: 10 },
  { kind: directorships, seeds: 5 },
  { kind: contacts, seeds: 5 },
]
