/** Shows a value of a request in an error: shortened, quoted, control characters escaped, secrets never. */
import { counted } from '../../domain/counted.ts'
import { quoted } from '../../domain/visible.ts'

const textMax = 40
const secret = /key|token|secret|password/i

export interface Shown {
  /** Last name of the path; of a value under the name of a secret only its type is shown. */
  readonly name: string
  /** In a query everything is text. */
  readonly isText: boolean
  /** The type that the rule requires. */
  readonly type: string | undefined
}

/** The second half of a sentence: `"abc" came`. */
export function cameAs(value: unknown, { name, isText, type }: Shown): string {
  if (isText && Array.isArray(value)) return `it came ${value.length} times`
  if (typeof value === 'string') {
    if (value === '') return isText ? 'nothing came' : 'an empty text came'
    if (secret.test(name)) return `a text of ${counted(value.length, 'character')} came`
    const length = value.length > textMax ? ` (${counted(value.length, 'character')})` : ''
    const kind = !isText && (type === 'integer' || type === 'number' || type === 'boolean') ? 'the text ' : ''
    return `${kind}"${escaped(value)}"${length} came`
  }
  if (value === null) return 'null came'
  if (Array.isArray(value)) return `${listOf(value.length)} came`
  if (typeof value === 'object') return 'an object came'
  if (secret.test(name)) return `a ${typeof value} came`
  if (typeof value === 'number' && !Number.isFinite(value)) return 'a number beyond all bounds came'
  return `${String(value)} came`
}

const listOf = (length: number): string => (length === 0 ? 'an empty list' : `a list of ${counted(length, 'item')}`)

/** Quotes in it are escaped, so that its end is unambiguous. */
const escaped = (text: string): string => quoted(text.replace(/["\\]/g, '\\$&'), textMax)
