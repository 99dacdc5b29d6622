/**
 * Conditions of a mapping as lines of text, `State is Goa, Kerala: asha@example.com`, and as the API takes them. A
 * value that is a column or a template is text in braces: `{City}`.
 */
import { Mistyped } from '../../../look/mistyped.ts'
import { colonIn, hasColumns, listOf, wholeWord, wordAs, wordsOf } from './listed-words.ts'
import type { FieldMapping } from './read-mapping.ts'

type MappedValue = NonNullable<FieldMapping['value']>
type Conditions = Extract<MappedValue, { readonly conditions: unknown }>
type Condition = Conditions['conditions'][number]
export type PlainValue = Exclude<MappedValue, Conditions>

export const conditionsHint =
  'A line each, such as “State is Goa, Kerala: asha@example.com” or “paidUpCapital from 10 lakh: ravi@example.com, meera@example.com”. A word that holds a comma or a colon stands in quotes.'

/** @throws Mistyped for a line without a condition or without a value. */
export function conditionsIn(text: string): Conditions {
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  const others = lines.findLast((line) => isOfOthers(line))
  return {
    conditions: lines.filter((line) => !isOfOthers(line)).map(conditionIn),
    ...(others !== undefined && { otherwise: plainIn(afterColon(others)) }),
  }
}

const isOfOthers = (line: string): boolean => /^\s*otherwise\s*:/i.test(line)

function conditionIn(line: string): Condition {
  const value = plainIn(afterColon(line))
  const asked = line.slice(0, colonIn(line)).trim()
  const [, ranged, from, below] = range.exec(asked) ?? []
  if (ranged !== undefined) {
    return {
      column: ranged,
      ...(from !== undefined && { at_least: numberIn(from) }),
      ...(below !== undefined && { below: numberIn(below) }),
      value,
    }
  }
  const [, column, words = ''] = /^(\w+) is\b(.*)$/i.exec(asked) ?? []
  if (column === undefined)
    throw new Mistyped(`“${asked}” is not a condition. Write a column with “is”, “from” or “below”.`)
  return { column, is: words.trim() === '' ? [''] : wordsOf(words), value }
}

const amount = '(-?[\\d,]*\\.?\\d+(?: (?:lakh|crore))?)'
const range = new RegExp(`^(\\w+)(?= from| below)(?: from ${amount})?(?: below ${amount})?$`, 'i')
const units: Readonly<Record<string, number>> = { lakh: 100_000, crore: 10_000_000 }

/** As written in India: 10,00,000 or 10 lakh. */
function numberIn(text: string): number {
  const [digits = '', unit = ''] = text.split(' ')
  return Number(digits.replaceAll(',', '')) * (units[unit.toLowerCase()] ?? 1)
}

function afterColon(line: string): string {
  const colon = colonIn(line)
  const said = colon < 0 ? '' : line.slice(colon + 1).trim()
  if (said === '') throw new Mistyped(`“${line.trim()}” has no value. Write one after a colon.`)
  return said
}

function plainIn(text: string): PlainValue {
  if (text === 'nothing') return { omit: true }
  const [, column] = /^\{(\w+)\}$/.exec(text) ?? []
  if (column !== undefined) return { column }
  const whole = wholeWord(text)
  if (whole !== undefined) return { constant: whole }
  if (hasColumns(text)) return { template: text }
  const words = wordsOf(text)
  return words.length > 1 ? { round_robin: words } : { constant: text }
}

export const linesOf = ({ conditions, otherwise }: Conditions): string =>
  [...conditions.map(lineOf), ...(otherwise ? [`otherwise: ${textOf(otherwise)}`] : [])].join('\n')

function lineOf({ column, is, at_least: from, below, value }: Condition): string {
  const range = [...(from === undefined ? [] : [`from ${from}`]), ...(below === undefined ? [] : [`below ${below}`])]
  return `${column} ${is === undefined ? range.join(' ') : `is ${isNothing(is) ? '' : listOf(is)}`}: ${textOf(value)}`
}

const isNothing = (is: readonly string[]): boolean => is.length === 1 && is[0] === ''

/** What would be taken for several, for columns, for nothing or for quotes. */
const readAsConstant = /[,{\n]|^"|^\s|\s$|^nothing$|^$/

function textOf(value: PlainValue): string {
  if ('omit' in value) return 'nothing'
  if ('constant' in value) return wordAs(value.constant, readAsConstant)
  if ('round_robin' in value) return listOf(value.round_robin)
  return 'column' in value ? `{${value.column}}` : value.template
}
