/**
 * Conditions of a mapping as lines that people write, `State is Goa, Kerala: asha@example.com`, and as the API takes them. What a line cannot
 * say, a column or a template, is a text in braces: `{City}`.
 */
import type { FieldMapping } from './read-mapping.ts'

type MappedValue = NonNullable<FieldMapping['value']>
type Conditions = Extract<MappedValue, { readonly conditions: unknown }>
type Condition = Conditions['conditions'][number]
export type PlainValue = Exclude<MappedValue, Conditions>

export const conditionsHint =
  'A line each, such as “State is Goa, Kerala: asha@example.com” or “paidUpCapital from 1000000: ravi@example.com, meera@example.com”.'

export const wordsOf = (text: string): string[] =>
  text
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '')

/** A line that says none of this is sent as a column of that name: the server's sentence names it. */
export function conditionsIn(text: string): Conditions {
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  const others = lines.findLast((line) => /^\s*otherwise\s*:/i.test(line))
  return {
    conditions: lines.filter((line) => !/^\s*otherwise\s*:/i.test(line)).map(conditionIn),
    ...(others !== undefined && { otherwise: plainIn(afterColon(others)) }),
  }
}

function conditionIn(line: string): Condition {
  const colon = line.indexOf(':')
  const asked = colon < 0 ? line : line.slice(0, colon)
  const value = plainIn(afterColon(line))
  const [, ranged = '', from, below] = /^\s*(\w+)(?: from (\S+))?(?: below (\S+))?\s*$/i.exec(asked) ?? []
  if (from !== undefined || below !== undefined) {
    return {
      column: ranged,
      ...(from !== undefined && { at_least: Number(from) }),
      ...(below !== undefined && { below: Number(below) }),
      value,
    }
  }
  const [, column = asked.trim(), words = ''] = /^\s*(\w+) is (.*)$/i.exec(asked) ?? []
  return { column, is: words.trim() === '' ? [''] : wordsOf(words), value }
}

const afterColon = (line: string): string => line.slice(line.indexOf(':') + 1).trim()

function plainIn(text: string): PlainValue {
  if (text === 'nothing') return { omit: true }
  const [, column] = /^\{(\w+)\}$/.exec(text) ?? []
  if (column !== undefined) return { column }
  if (text.includes('{')) return { template: text }
  const words = wordsOf(text)
  return words.length > 1 ? { round_robin: words } : { constant: text }
}

export const linesOf = ({ conditions, otherwise }: Conditions): string =>
  [...conditions.map(lineOf), ...(otherwise ? [`otherwise: ${textOf(otherwise)}`] : [])].join('\n')

function lineOf({ column, is, at_least: from, below, value }: Condition): string {
  const range = [...(from === undefined ? [] : [`from ${from}`]), ...(below === undefined ? [] : [`below ${below}`])]
  return `${column} ${is === undefined ? range.join(' ') : `is ${is.join(', ')}`}: ${textOf(value)}`
}

function textOf(value: PlainValue): string {
  if ('omit' in value) return 'nothing'
  if ('constant' in value) return value.constant
  if ('round_robin' in value) return value.round_robin.join(', ')
  return 'column' in value ? `{${value.column}}` : value.template
}
