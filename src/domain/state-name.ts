/**
 * Resolves states as callers write them to the canonical name: `goa`, `Orissa`, `TAMIL  NADU`, `MH` and `27` are Goa,
 * Odisha, Tamil Nadu and Maharashtra, by the same table that ingestion uses.
 */
import { nearest } from './nearest.ts'
import { states } from './states.ts'
import { wordKey } from './word-key.ts'

const nameByWord = new Map(
  states.flatMap(({ name, aliases }) => [name, ...aliases].map((word) => [wordKey(word), name])),
)
const nameByCode = new Map(
  states.flatMap(({ name, gstCodes, letters }) => [...gstCodes, ...letters].map((code) => [wordKey(code), name])),
)
const stateByCity = new Map(states.flatMap(({ name, cities }) => cities.map((city) => [wordKey(city), name])))
/** Two letters can only be a code: any two are within one typing error of many. */
const slipLengthMin = 3
const lengthMax = 60

export type StateReading =
  | { readonly ok: true; readonly name: string }
  | { readonly ok: false; readonly message: string; readonly suggestion: string | null }

export function readStateName(text: string): StateReading {
  const key = wordKey(text.trim().replace(/\s+/g, ' '))
  const name = nameOf(key)
  if (name !== undefined) return { ok: true, name }
  const shown = JSON.stringify(text.length > lengthMax ? `${text.slice(0, lengthMax - 1)}…` : text)
  const around = stateByCity.get(key)
  if (around !== undefined) {
    const message = `${shown} is a city of ${around}, not a state. Write ${around} instead.`
    return { ok: false, message, suggestion: around }
  }
  const suggestion = nameLike(key)
  const hint = suggestion === null ? '' : ` Write ${suggestion} instead.`
  return { ok: false, message: `${shown} is no state or union territory of India.${hint}`, suggestion }
}

/** Also accepts `27`, `MH`, `IN-MH`, `State of Maharashtra`, and a code without its leading zero. */
function nameOf(key: string): string | undefined {
  const bare = key.replace(/^(?:stateof|unionterritoryof|utof)(?=.)/, '')
  const code = /^in[a-z]{2}$/.test(bare) ? bare.slice(2) : /^[0-9]$/.test(bare) ? `0${bare}` : bare
  return nameByWord.get(key) ?? nameByWord.get(bare) ?? nameByCode.get(code)
}

function nameLike(key: string): string | null {
  if (key.length < slipLengthMin || key.length > lengthMax) return null
  const words = [...nameByWord.keys()].filter((word) => word.length >= slipLengthMin)
  const meant = nearest(key, words, key.length < 6 ? 1 : 2)
  return (meant !== undefined && nameByWord.get(meant)) || null
}
