/**
 * States as callers write them in, the one spelling that registers and answers use out: `goa`, `Orissa` and
 * `TAMIL  NADU` are Goa, Odisha and Tamil Nadu, by the same table that ingest reads its files with.
 */
import { states } from '../../config/states.ts'
import { nearest } from './nearest.ts'
import { wordKey } from './word-key.ts'

const nameByKey = new Map(
  states.flatMap(({ name, aliases }) => [name, ...aliases].map((word) => [wordKey(word), name])),
)

export type StateReading =
  | { readonly ok: true; readonly name: string }
  | { readonly ok: false; readonly message: string; readonly suggestion: string | null }

export function readStateName(text: string): StateReading {
  const key = wordKey(text.trim().replace(/\s+/g, ' '))
  const name = nameByKey.get(key)
  if (name !== undefined) return { ok: true, name }
  const meant = key.length <= 60 ? nearest(key, [...nameByKey.keys()], key.length < 6 ? 1 : 2) : undefined
  const suggestion = (meant !== undefined && nameByKey.get(meant)) || null
  const shown = text.length > 60 ? `${text.slice(0, 59)}…` : text
  const hint = suggestion === null ? '' : ` Write ${suggestion} instead.`
  return { ok: false, message: `${JSON.stringify(shown)} is no state or union territory of India.${hint}`, suggestion }
}
