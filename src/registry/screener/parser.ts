/**
 * Tokens in, tree out: recursive descent, OR below AND below NOT. Knows words and signs only; whether a field
 * exists and takes the value is the checker's question. Any text gives a tree or one QUERY_SYNTAX error.
 */
import type { Condition, FieldRef, Literal, Node } from './ast.ts'
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

export function parseQuery(query: string): Node {
  if (Buffer.byteLength(query) > queryBytesMax) {
    const message = `The query is longer than ${queryBytesMax} bytes.`
    throw queryMistake(query, { at: 0, message, found: `${Buffer.byteLength(query)} bytes` })
  }
  const parser = new Parser(query, tokenise(query))
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
  #next = 0
  #depth = 0

  constructor(query: string, tokens: readonly Token[]) {
    this.#query = query
    this.#tokens = tokens
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
      if (op) return { kind: 'compare', field, op, value: this.#literal() }
    }
    if (operator.kind === 'keyword') {
      const op = matchOperators.find((each) => each === operator.value)
      if (op) return { kind: 'match', field, op, value: this.#literal() }
      if (operator.value === 'IN') return { kind: 'in', field, negated: false, values: this.#list() }
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
    const low = this.#literal()
    if (!this.#take('keyword', 'AND')) {
      throw this.#mistake(this.#peek(), {
        message: 'BETWEEN takes two values joined by AND.',
        expected: ['AND'],
        suggestion: 'AND',
      })
    }
    return { kind: 'between', field, low, high: this.#literal() }
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
    if (this.#take('keyword', 'IN')) return { kind: 'in', field, negated: true, values: this.#list() }
    const token = this.#peek()
    const negatable = token.kind === 'keyword' && token.value !== 'NOT'
    throw this.#mistake(token, {
      message: 'After a field NOT goes with IN only; to negate another condition, put NOT before it.',
      expected: ['IN'],
      suggestion: negatable ? `NOT ${field.name} ${token.value}` : keywordFor(token, ['IN']),
    })
  }

  #list(): Literal[] {
    const open = this.#peek()
    if (!this.#take('sign', '[')) {
      throw this.#mistake(open, { message: 'A list stands in square brackets.', expected: ['['], suggestion: '[' })
    }
    const values = [this.#literal()]
    while (this.#take('sign', ',')) {
      if (values.length === listMembersMax) {
        throw this.#mistake(this.#peek(), { message: `A list holds at most ${listMembersMax} members.` })
      }
      values.push(this.#literal())
    }
    if (this.#take('sign', ']')) return values
    throw this.#mistake(this.#peek(), { message: 'The list is not closed.', expected: [',', ']'], suggestion: ']' })
  }

  #literal(): Literal {
    const token = this.#advance()
    if (token.kind === 'text' || token.kind === 'number') {
      return { kind: token.kind, value: token.value, at: token.at }
    }
    throw this.#mistake(token, {
      message: token.kind === 'word' ? `The text ${token.raw} stands without quotes.` : 'A value is needed here.',
      expected: ['text in single quotes', 'a number'],
      suggestion: token.kind === 'word' ? quoted(token.raw) : undefined,
    })
  }

  /** A condition is complete and something follows that does not join it to the next one. */
  #leftOver(expected: readonly string[]): Error {
    const token = this.#peek()
    const before = this.#tokens[this.#next - 1]
    if (before?.kind === 'number' && token.value === ',') {
      return this.#mistake(token, { message: 'Numbers are written without grouping commas: 100000.', expected })
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
