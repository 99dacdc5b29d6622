/**
 * Recursive descent parser of the query language: OR below AND below NOT. It knows only words and signs; the checker
 * decides whether a field exists and accepts a value. Any text results in a tree or one QUERY_SYNTAX error.
 */
import { quoted as bounded } from '../../domain/visible.ts'
import type { ComparisonOperator, Condition, FieldRef, Literal, Node } from './ast.ts'
import { comparisonOperators, depthOf, matchOperators } from './ast.ts'
import { comparedWith, type DaysLiteral, firstDay, lastDay, within } from './day-condition.ts'
import { foreignOperatorAt, keywordFor } from './foreign-words.ts'
import { queryMistake } from './mistake.ts'
import { relativeDays, type WrittenPeriod } from './relative-days.ts'
import { TokenReader } from './token-reader.ts'
import { type Keyword, quoted, type Token } from './tokens.ts'

export const queryBytesMax = 4096
export const queryDepthMax = 32
export const listMembersMax = 1000

const operators = [...comparisonOperators, 'IN', 'NOT IN', 'BETWEEN', ...matchOperators, 'IS NULL', 'IS NOT NULL']
const conditionStart = ['a field name', 'NOT', '(']

/** What the parser must know about fields. */
export interface KnownFields {
  /** The suggestion for a text without quotes; undefined if no text fits. */
  readonly suggest: (field: string, text: string) => string | undefined
  /** Reads relative days at a position of the query; undefined for a field that is known not to be a date. */
  readonly days: (field: string) => ((at: number) => WrittenPeriod | undefined) | undefined
  /** The field to suggest if relative days follow one that is not a date. */
  readonly heldBy: (field: string, at: number) => string | undefined
  /** Whether it is a flag, so that its name alone is a condition. */
  readonly isFlag: (field: string) => boolean
}

const unknownFields: KnownFields = {
  suggest: (_, text) => quoted(text),
  days: () => undefined,
  heldBy: () => undefined,
  isFlag: () => false,
}

export function parseQuery(query: string, fields: KnownFields = unknownFields): Node {
  if (Buffer.byteLength(query) > queryBytesMax) {
    const message = `The query is longer than ${queryBytesMax} bytes.`
    throw queryMistake(query, { at: 0, message, found: `${Buffer.byteLength(query)} bytes` })
  }
  const parser = new Parser(new TokenReader(query), fields)
  const node = parser.whole()
  if (depthOf(node) > queryDepthMax) {
    const message = `The query nests AND, OR and NOT deeper than ${queryDepthMax} levels.`
    throw queryMistake(query, { at: 0, message, found: `${depthOf(node)} levels` })
  }
  return node
}

class Parser {
  readonly #tokens: TokenReader
  readonly #fields: KnownFields
  #depth = 0

  constructor(tokens: TokenReader, fields: KnownFields) {
    this.#tokens = tokens
    this.#fields = fields
  }

  whole(): Node {
    const node = this.#or()
    if (this.#tokens.peek().kind !== 'end') throw this.#tokens.leftOver(['AND', 'OR', 'end of query'])
    return node
  }

  #or(): Node {
    return this.#joined('or', 'OR', () => this.#joined('and', 'AND', () => this.#term()))
  }

  #joined(kind: 'and' | 'or', keyword: Keyword, read: () => Node): Node {
    const terms = [read()]
    while (this.#tokens.take('keyword', keyword)) terms.push(read())
    const [only] = terms
    if (terms.length === 1 && only) return only
    return { kind, terms: terms.flatMap((term) => (term.kind === kind ? term.terms : [term])) }
  }

  #term(): Node {
    const open = this.#tokens.peek()
    if (this.#tokens.take('keyword', 'NOT')) return this.#nested(open, () => ({ kind: 'not', term: this.#term() }))
    if (!this.#tokens.take('sign', '(')) return this.#condition()
    return this.#nested(open, () => {
      const node = this.#or()
      if (!this.#tokens.take('sign', ')')) throw this.#tokens.leftOver(['AND', 'OR', ')'])
      return node
    })
  }

  #nested(open: Token, read: () => Node): Node {
    this.#depth += 1
    if (this.#depth > queryDepthMax) {
      throw this.#tokens.mistake(open, { message: `Parentheses and NOT nest deeper than ${queryDepthMax} levels.` })
    }
    const node = read()
    this.#depth -= 1
    return node
  }

  #condition(): Node {
    const field = this.#field()
    if (this.#fields.isFlag(field.name) && this.#tokens.endsCondition()) {
      return { kind: 'compare', field, op: '==', value: { kind: 'text', value: 'true', at: field.at } }
    }
    const operator = this.#tokens.advance()
    if (this.#isSince(field, operator)) {
      const days = this.#relativeDaysHere(field)
      return { kind: 'compare', field, op: '>=', value: days ? firstDay(days) : this.#literal(field) }
    }
    this.#refusePhrase(field, operator)
    if (operator.kind === 'sign') {
      const op = comparisonOperators.find((each) => each === operator.value)
      if (op) {
        this.#refuseNull(op, operator)
        this.#refuseList(op, operator)
        const days = this.#relativeDaysHere(field)
        return days ? comparedWith(field, op, days) : { kind: 'compare', field, op, value: this.#literal(field) }
      }
    }
    if (operator.kind === 'keyword') {
      const op = matchOperators.find((each) => each === operator.value)
      if (op) return { kind: 'match', field, op, value: this.#literal(field) }
      if (operator.value === 'IN') return this.#in(field, false)
      if (operator.value === 'BETWEEN') return this.#between(field)
      if (operator.value === 'IS') return this.#isNull(field, operator)
      if (operator.value === 'NOT') return this.#notIn(field)
    }
    throw this.#tokens.mistake(operator, {
      message: `After the field "${bounded(field.name)}" an operator is needed.`,
      expected: operators,
      suggestion: keywordFor(operator, operators),
    })
  }

  #field(): FieldRef {
    const token = this.#tokens.advance()
    if (token.kind === 'word' && keywordFor(token, ['NOT']) === undefined) return { name: token.value, at: token.at }
    throw this.#tokens.mistake(token, {
      message:
        token.kind === 'end' ? 'The query ends where a condition is needed.' : 'A condition begins with a field.',
      expected: conditionStart,
      suggestion: keywordFor(token, ['NOT']),
    })
  }

  #between(field: FieldRef): Condition {
    const low = this.#bound(field, firstDay)
    if (!this.#tokens.take('keyword', 'AND')) {
      const next = this.#tokens.peek()
      throw this.#tokens.mistake(next, {
        message: 'BETWEEN takes two values joined by AND.',
        expected: ['AND'],
        suggestion: next.kind === 'end' ? undefined : /^(?:to|and|,|\.\.)$/i.test(next.raw) ? 'AND' : `AND ${next.raw}`,
      })
    }
    return { kind: 'between', field, low, high: this.#bound(field, lastDay) }
  }

  #isNull(field: FieldRef, is: Token): Condition {
    const negated = this.#tokens.take('keyword', 'NOT')
    if (this.#tokens.take('keyword', 'NULL')) return { kind: 'null', field, negated }
    const next = this.#tokens.peek()
    const message = 'IS only tests for a missing value.'
    const expected = negated ? ['NULL'] : ['NULL', 'NOT NULL']
    const suggestion = keywordFor(next, negated ? ['NULL'] : ['NULL', 'NOT'])
    if (suggestion !== undefined || !['word', 'text', 'number'].includes(next.kind)) {
      throw this.#tokens.mistake(next, { message, expected, suggestion })
    }
    // `IS 'Active'` means equality in other languages.
    const found = this.#tokens.query.slice(is.at, next.at).trimEnd()
    throw queryMistake(this.#tokens.query, { at: is.at, message, found, expected, suggestion: negated ? '!=' : '==' })
  }

  /** A list, or relative days. */
  #in(field: FieldRef, negated: boolean): Node {
    this.#refuseDays(field)
    const days = this.#relativeDaysHere(field)
    if (!days) return { kind: 'in', field, negated, values: this.#list(field) }
    return negated ? { kind: 'not', term: within(field, days) } : within(field, days)
  }

  #notIn(field: FieldRef): Node {
    if (this.#tokens.take('keyword', 'IN')) return this.#in(field, true)
    const token = this.#tokens.peek()
    const negatable = token.kind === 'keyword' && token.value !== 'NOT'
    const message = 'After a field, NOT can only be followed by IN; to negate another condition, put NOT before it.'
    if (!negatable)
      throw this.#tokens.mistake(token, { message, expected: ['IN'], suggestion: keywordFor(token, ['IN']) })
    throw queryMistake(this.#tokens.query, {
      at: field.at,
      message,
      found: this.#tokens.query.slice(field.at, token.at + token.raw.length),
      expected: ['IN'],
      suggestion: `NOT ${field.name} ${token.value}`,
    })
  }

  #list(field: FieldRef): Literal[] {
    const open = this.#tokens.peek()
    if (!this.#tokens.take('sign', '[')) {
      throw this.#tokens.mistake(open, {
        message: 'A list needs square brackets.',
        expected: ['['],
        suggestion: '[',
      })
    }
    const values = [this.#literal(field)]
    while (this.#tokens.take('sign', ',')) {
      if (values.length === listMembersMax) {
        throw this.#tokens.mistake(this.#tokens.peek(), { message: `A list holds at most ${listMembersMax} members.` })
      }
      values.push(this.#literal(field))
    }
    if (this.#tokens.take('sign', ']')) return values
    const next = this.#tokens.peek()
    if (next.kind === 'text' || next.kind === 'number') {
      const message = 'The members of a list are separated by commas.'
      throw this.#tokens.mistake(next, { message, expected: [',', ']'], suggestion: `, ${next.raw}` })
    }
    throw this.#tokens.mistake(next, { message: 'The list is not closed.', expected: [',', ']'], suggestion: ']' })
  }

  #isSince(field: FieldRef, operator: Token): boolean {
    if (operator.kind !== 'word' || !/^since$/i.test(operator.value)) return false
    this.#refuseDays(field)
    return this.#fields.days(field.name) !== undefined
  }

  /** Relative days after a field that is not a date. */
  #refuseDays({ name, at }: FieldRef, daysAt = this.#tokens.peek().at): void {
    const suggestion = this.#fields.heldBy(name, daysAt)
    if (suggestion === undefined) return
    const message = `${name} holds no days.`
    throw queryMistake(this.#tokens.query, { at, message, found: name, expected: [suggestion], suggestion })
  }

  #bound(field: FieldRef, end: (days: DaysLiteral) => Literal): Literal {
    const days = this.#relativeDaysHere(field)
    return days ? end(days) : this.#literal(field)
  }

  /** Relative days at this position, if the field is a date. */
  #relativeDaysHere(field: FieldRef): DaysLiteral | undefined {
    const token = this.#tokens.peek()
    const found = this.#fields.days(field.name)?.(token.at)
    if (found === undefined) return undefined
    const { raw, period, message = 'There is no such day.', suggestion } = found
    if (period === undefined) {
      throw queryMistake(this.#tokens.query, { at: token.at, message, found: raw, expected: relativeDays, suggestion })
    }
    this.#tokens.skipTo(token.at + raw.length)
    return { period, written: raw, at: token.at }
  }

  #literal(field: FieldRef): Literal {
    const token = this.#tokens.advance()
    if (token.kind === 'text' || token.kind === 'number') {
      return { kind: token.kind, value: token.value, at: token.at }
    }
    if (token.kind === 'word' && this.#fields.isFlag(field.name))
      return { kind: 'text', value: token.value, at: token.at }
    const expected = this.#fields.days(field.name)
      ? ["a date 'YYYY-MM-DD'", ...relativeDays]
      : ['text in single quotes', 'a number']
    if (token.kind !== 'word') throw this.#tokens.mistake(token, { message: 'A value is needed here.', expected })
    const text = this.#tokens.query.slice(token.at, this.#tokens.endOfWords(token))
    const suggestion = this.#fields.suggest(field.name, text)
    if (suggestion === undefined) this.#refuseDays(field, token.at)
    const message = `The text ${text} needs quotes.`
    throw queryMistake(this.#tokens.query, { at: token.at, message, found: text, expected, suggestion })
  }

  /** `does not contain`, `starts with`, `at least`. */
  #refusePhrase(field: FieldRef, operator: Token): void {
    const foreign = foreignOperatorAt(this.#tokens.query, operator.at)
    if (foreign === undefined) return
    const { raw, op, isNegated } = foreign
    const from = isNegated ? field.at : operator.at
    throw queryMistake(this.#tokens.query, {
      at: from,
      message: `The language has no "${raw}".`,
      found: this.#tokens.query.slice(from, operator.at + raw.length),
      expected: operators,
      suggestion: isNegated ? `NOT ${field.name} ${op}` : op,
    })
  }

  /** `== ['a', 'b']` */
  #refuseList(op: ComparisonOperator, operator: Token): void {
    const { kind, value } = this.#tokens.peek()
    if (kind !== 'sign' || (value !== '[' && value !== '(') || (op !== '==' && op !== '!=')) return
    throw this.#tokens.mistake(operator, {
      message: 'Compare lists with IN or NOT IN.',
      expected: ['IN', 'NOT IN'],
      suggestion: op === '==' ? 'IN' : 'NOT IN',
    })
  }

  /** `== null`, as other languages test for a missing value. */
  #refuseNull(op: ComparisonOperator, operator: Token): void {
    const token = this.#tokens.peek()
    const isNull = (token.kind === 'word' && /^(?:null|nil|none)$/i.test(token.value)) || token.value === 'NULL'
    if (!isNull || token.kind === 'text' || (op !== '==' && op !== '!=')) return
    throw queryMistake(this.#tokens.query, {
      at: operator.at,
      message: 'Test for a missing value with IS NULL or IS NOT NULL.',
      found: this.#tokens.query.slice(operator.at, token.at + token.raw.length),
      expected: ['IS NULL', 'IS NOT NULL'],
      suggestion: op === '==' ? 'IS NULL' : 'IS NOT NULL',
    })
  }
}
