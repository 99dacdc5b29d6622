/**
 * Tokens in, tree out: recursive descent, OR below AND below NOT. Knows words and signs only; whether a field
 * exists and takes the value is the checker's question. Any text gives a tree or one QUERY_SYNTAX error.
 */
import type { ComparisonOperator, Condition, FieldRef, Literal, Node } from './ast.ts'
import { comparisonOperators, depthOf, matchOperators } from './ast.ts'
import { type Mistake, queryMistake } from './mistake.ts'
import { type Keyword, keywords, quoted, type Token, tokenise } from './tokens.ts'

export const queryBytesMax = 4096
export const queryDepthMax = 32
export const listMembersMax = 1000

const operators = [...comparisonOperators, 'IN', 'NOT IN', 'BETWEEN', ...matchOperators, 'IS NULL', 'IS NOT NULL']
const conditionStart = ['a field name', 'NOT', '(']
/** Words of other query languages and the keyword that does their work. */
const foreignWords: Readonly<Record<string, string>> = {
  LIKE: 'CONTAINS',
  ILIKE: 'CONTAINS',
  EQUALS: '==',
  EQ: '==',
  NE: '!=',
  GT: '>',
  GTE: '>=',
  LT: '<',
  LTE: '<=',
  STARTSWITH: 'STARTS_WITH',
  ENDSWITH: 'ENDS_WITH',
  INCLUDES: 'CONTAINS',
}

/** What to write for a text without quotes in a field of this name; undefined where no text is meant. */
export type Advise = (field: string, text: string) => string | undefined

export function parseQuery(query: string, advise: Advise = (_, text) => quoted(text)): Node {
  if (Buffer.byteLength(query) > queryBytesMax) {
    const message = `The query is longer than ${queryBytesMax} bytes.`
    throw queryMistake(query, { at: 0, message, found: `${Buffer.byteLength(query)} bytes` })
  }
  const parser = new Parser(query, tokenise(query), advise)
  const node = parser.whole()
  if (depthOf(node) > queryDepthMax) {
    const message = `The query nests AND, OR and NOT deeper than ${queryDepthMax} levels.`
    throw queryMistake(query, { at: 0, message, found: `${depthOf(node)} levels` })
  }
  return node
}

class Parser {
  readonly #query: string
  readonly #tokens: readonly Token[]
  readonly #advise: Advise
  #next = 0
  #depth = 0

  constructor(query: string, tokens: readonly Token[], advise: Advise) {
    this.#query = query
    this.#tokens = tokens
    this.#advise = advise
  }

  whole(): Node {
    const node = this.#or()
    if (this.#peek().kind !== 'end') throw this.#leftOver(['AND', 'OR', 'end of query'])
    return node
  }

  #or(): Node {
    return this.#joined('or', 'OR', () => this.#joined('and', 'AND', () => this.#term()))
  }

  #joined(kind: 'and' | 'or', keyword: Keyword, read: () => Node): Node {
    const terms = [read()]
    while (this.#take('keyword', keyword)) terms.push(read())
    const [only] = terms
    if (terms.length === 1 && only) return only
    return { kind, terms: terms.flatMap((term) => (term.kind === kind ? term.terms : [term])) }
  }

  #term(): Node {
    const open = this.#peek()
    if (this.#take('keyword', 'NOT')) return this.#nested(open, () => ({ kind: 'not', term: this.#term() }))
    if (!this.#take('sign', '(')) return this.#condition()
    return this.#nested(open, () => {
      const node = this.#or()
      if (!this.#take('sign', ')')) throw this.#leftOver(['AND', 'OR', ')'])
      return node
    })
  }

  #nested(open: Token, read: () => Node): Node {
    this.#depth += 1
    if (this.#depth > queryDepthMax) {
      throw this.#mistake(open, { message: `Parentheses and NOT nest deeper than ${queryDepthMax} levels.` })
    }
    const node = read()
    this.#depth -= 1
    return node
  }

  #condition(): Condition {
    const field = this.#field()
    const operator = this.#advance()
    if (operator.kind === 'sign') {
      const op = comparisonOperators.find((each) => each === operator.value)
      if (op) {
        this.#refuseNull(op, operator)
        return { kind: 'compare', field, op, value: this.#literal(field) }
      }
    }
    if (operator.kind === 'keyword') {
      const op = matchOperators.find((each) => each === operator.value)
      if (op) return { kind: 'match', field, op, value: this.#literal(field) }
      if (operator.value === 'IN') return { kind: 'in', field, negated: false, values: this.#list(field) }
      if (operator.value === 'BETWEEN') return this.#between(field)
      if (operator.value === 'IS') return this.#isNull(field)
      if (operator.value === 'NOT') return this.#notIn(field)
    }
    throw this.#mistake(operator, {
      message: `After the field ${field.name} an operator is needed.`,
      expected: operators,
      suggestion: keywordFor(operator, operators),
    })
  }

  #field(): FieldRef {
    const token = this.#advance()
    if (token.kind === 'word' && keywordFor(token, ['NOT']) === undefined) return { name: token.value, at: token.at }
    throw this.#mistake(token, {
      message:
        token.kind === 'end' ? 'The query ends where a condition is needed.' : 'A condition begins with a field.',
      expected: conditionStart,
      suggestion: keywordFor(token, ['NOT']),
    })
  }

  #between(field: FieldRef): Condition {
    const low = this.#literal(field)
    if (!this.#take('keyword', 'AND')) {
      throw this.#mistake(this.#peek(), {
        message: 'BETWEEN takes two values joined by AND.',
        expected: ['AND'],
        suggestion: 'AND',
      })
    }
    return { kind: 'between', field, low, high: this.#literal(field) }
  }

  #isNull(field: FieldRef): Condition {
    const negated = this.#take('keyword', 'NOT')
    if (this.#take('keyword', 'NULL')) return { kind: 'null', field, negated }
    const expected = negated ? ['NULL'] : ['NULL', 'NOT NULL']
    throw this.#mistake(this.#peek(), {
      message: 'IS asks only whether a value is missing.',
      expected,
      suggestion: keywordFor(this.#peek(), ['NULL', 'NOT']),
    })
  }

  #notIn(field: FieldRef): Condition {
    if (this.#take('keyword', 'IN')) return { kind: 'in', field, negated: true, values: this.#list(field) }
    const token = this.#peek()
    const negatable = token.kind === 'keyword' && token.value !== 'NOT'
    const message = 'After a field NOT goes with IN only; to negate another condition, put NOT before it.'
    if (!negatable) throw this.#mistake(token, { message, expected: ['IN'], suggestion: keywordFor(token, ['IN']) })
    throw queryMistake(this.#query, {
      at: field.at,
      message,
      found: this.#query.slice(field.at, token.at + token.raw.length),
      expected: ['IN'],
      suggestion: `NOT ${field.name} ${token.value}`,
    })
  }

  #list(field: FieldRef): Literal[] {
    const open = this.#peek()
    if (!this.#take('sign', '[')) {
      throw this.#mistake(open, { message: 'A list stands in square brackets.', expected: ['['], suggestion: '[' })
    }
    const values = [this.#literal(field)]
    while (this.#take('sign', ',')) {
      if (values.length === listMembersMax) {
        throw this.#mistake(this.#peek(), { message: `A list holds at most ${listMembersMax} members.` })
      }
      values.push(this.#literal(field))
    }
    if (this.#take('sign', ']')) return values
    const next = this.#peek()
    if (next.kind === 'text' || next.kind === 'number') {
      const message = 'The members of a list are separated by commas.'
      throw this.#mistake(next, { message, expected: [',', ']'], suggestion: `, ${next.raw}` })
    }
    throw this.#mistake(next, { message: 'The list is not closed.', expected: [',', ']'], suggestion: ']' })
  }

  #literal(field: FieldRef): Literal {
    const token = this.#advance()
    if (token.kind === 'text' || token.kind === 'number') {
      return { kind: token.kind, value: token.value, at: token.at }
    }
    const expected = ['text in single quotes', 'a number']
    if (token.kind !== 'word') throw this.#mistake(token, { message: 'A value is needed here.', expected })
    const text = this.#query.slice(token.at, this.#endOfWords(token))
    throw queryMistake(this.#query, {
      at: token.at,
      message: `The text ${text} stands without quotes.`,
      found: text,
      expected,
      suggestion: this.#advise(field.name, text),
    })
  }

  /** Where a text of several words ends that was written without quotes: a word before an operator is the next field. */
  #endOfWords(first: Token): number {
    let end = first.at + first.raw.length
    for (let index = this.#next; this.#tokens[index]?.kind === 'word'; index += 1) {
      const [word, next] = [this.#tokens[index], this.#tokens[index + 1]]
      const isField = next?.kind === 'sign' ? comparisonOperators.some((each) => each === next.value) : false
      if (!word || isField || keywordFor(word, ['AND', 'OR']) !== undefined) break
      end = word.at + word.raw.length
    }
    return end
  }

  /** `== null`, as other languages ask whether a value is missing. */
  #refuseNull(op: ComparisonOperator, operator: Token): void {
    const token = this.#peek()
    const isNull = (token.kind === 'word' && /^(?:null|nil|none)$/i.test(token.value)) || token.value === 'NULL'
    if (!isNull || token.kind === 'text' || (op !== '==' && op !== '!=')) return
    throw queryMistake(this.#query, {
      at: operator.at,
      message: 'Whether a value is missing is asked with IS NULL and IS NOT NULL.',
      found: this.#query.slice(operator.at, token.at + token.raw.length),
      expected: ['IS NULL', 'IS NOT NULL'],
      suggestion: op === '==' ? 'IS NULL' : 'IS NOT NULL',
    })
  }

  /** A condition is complete and something follows that does not join it to the next one. */
  #leftOver(expected: readonly string[]): Error {
    const token = this.#peek()
    const before = this.#tokens[this.#next - 1]
    if (before?.kind === 'number' && token.value === ',') {
      const [grouped = before.raw] = /^-?\d{1,3}(?:,\d{2,3})+(?:\.\d+)?(?!\d)/.exec(this.#query.slice(before.at)) ?? []
      return queryMistake(this.#query, {
        at: before.at,
        message: 'Numbers are written without grouping commas.',
        found: grouped,
        expected,
        suggestion: grouped.replaceAll(',', ''),
      })
    }
    const keyword = keywordFor(token, ['AND', 'OR'])
    const startsCondition = token.kind === 'word' || token.value === '(' || token.value === 'NOT'
    if (keyword === undefined && startsCondition) {
      const message = 'Two conditions are joined by AND or OR.'
      return this.#mistake(token, { message, expected, suggestion: `AND ${token.raw}` })
    }
    const closing = token.kind === 'end' && expected.includes(')')
    const message = closing ? 'A parenthesis is not closed.' : `${token.raw} does not fit here.`
    return this.#mistake(token, { message, expected, suggestion: closing ? ')' : keyword })
  }

  #peek(): Token {
    const token = this.#tokens[this.#next]
    if (!token) throw new Error('the parser read past the end token')
    return token
  }

  /** The end token stays: reading past it again reports the same end. */
  #advance(): Token {
    const token = this.#peek()
    if (token.kind !== 'end') this.#next += 1
    return token
  }

  #take(kind: 'keyword' | 'sign', value: string): boolean {
    const token = this.#peek()
    if (token.kind !== kind || token.value !== value) return false
    this.#next += 1
    return true
  }

  #mistake(token: Token, mistake: Omit<Mistake, 'at' | 'found'>): Error {
    return queryMistake(this.#query, {
      at: token.at,
      found: token.kind === 'end' ? token.value : token.raw,
      ...mistake,
    })
  }
}

/** The keyword that a lower-case or foreign word stands for, where it is one of those that fit. */
function keywordFor(token: Token, fitting: readonly string[]): string | undefined {
  if (token.kind !== 'word') return undefined
  const upper = token.value.toUpperCase()
  const known: readonly string[] = keywords
  const meant = known.includes(upper) ? upper : foreignWords[upper]
  return meant !== undefined && fitting.some((each) => each.split(' ').includes(meant)) ? meant : undefined
}
