/**
 * Parses a SOQL query: `SELECT a, b FROM Lead WHERE c = 'x' AND (d IN ('y') OR e > 3) ORDER BY a DESC LIMIT 5 OFFSET
 * 2`. Token by token, in linear time.
 */

export type Literal = string | number | boolean | null

export type Condition =
  | { readonly kind: 'and' | 'or'; readonly parts: readonly Condition[] }
  | { readonly kind: 'not'; readonly part: Condition }
  | { readonly kind: 'compare'; readonly field: string; readonly operator: string; readonly values: readonly Literal[] }

export interface Question {
  /** Empty for COUNT(). */
  readonly columns: readonly string[]
  readonly object: string
  readonly where: Condition | null
  readonly orderBy: readonly { readonly field: string; readonly descending: boolean }[]
  readonly limit: number | null
  readonly offset: number
}

/** Names, numbers, operators, quoted literals, and the white space between them. */
const token = /\s+|[A-Za-z_][\w.]*|-?\d+(?:\.\d+)?(?:-\d\d-\d\d)?|!=|<>|<=|>=|[(),=<>]|'(?:[^'\\]|\\.)*'/sy
const comparisons = new Set(['=', '!=', '<>', '<', '<=', '>', '>=', 'LIKE'])
const depthMax = 20

/** @returns null for an invalid query. */
export function readSoql(text: string): Question | null {
  const words = wordsOf(text)
  return words === null ? null : new Reader(words).question()
}

function wordsOf(text: string): string[] | null {
  const words: string[] = []
  token.lastIndex = 0
  while (token.lastIndex < text.length) {
    const word = token.exec(text)?.[0]
    if (word === undefined) return null
    if (word.trim() !== '') words.push(word)
  }
  return words
}

class Malformed extends Error {}

class Reader {
  readonly #words: readonly string[]
  #at = 0
  #depth = 0

  constructor(words: readonly string[]) {
    this.#words = words
  }

  question(): Question | null {
    try {
      const question = this.#question()
      return this.#at === this.#words.length ? question : null
    } catch (error) {
      if (error instanceof Malformed) return null
      throw error
    }
  }

  #question(): Question {
    this.#need('SELECT')
    const columns = this.#columns()
    this.#need('FROM')
    const object = this.#name()
    const where = this.#takes('WHERE') ? this.#either() : null
    const orderBy = this.#orderBy()
    const limit = this.#takes('LIMIT') ? this.#count() : null
    const offset = this.#takes('OFFSET') ? this.#count() : 0
    return { columns, object, where, orderBy, limit, offset }
  }

  #columns(): string[] {
    if (this.#takes('COUNT')) {
      this.#need('(')
      this.#need(')')
      return []
    }
    const columns = [this.#name()]
    while (this.#takes(',')) columns.push(this.#name())
    return columns
  }

  #orderBy(): Question['orderBy'] {
    if (!this.#takes('ORDER')) return []
    this.#need('BY')
    const order = []
    do {
      const field = this.#name()
      const descending = this.#takes('DESC')
      if (!descending) this.#takes('ASC')
      if (this.#takes('NULLS') && !this.#takes('FIRST')) this.#need('LAST')
      order.push({ field, descending })
    } while (this.#takes(','))
    return order
  }

  #either(): Condition {
    const parts = [this.#both()]
    while (this.#takes('OR')) parts.push(this.#both())
    return parts.length === 1 && parts[0] ? parts[0] : { kind: 'or', parts }
  }

  #both(): Condition {
    const parts = [this.#single()]
    while (this.#takes('AND')) parts.push(this.#single())
    return parts.length === 1 && parts[0] ? parts[0] : { kind: 'and', parts }
  }

  #single(): Condition {
    this.#depth += 1
    if (this.#depth > depthMax) throw new Malformed()
    const condition = this.#condition()
    this.#depth -= 1
    return condition
  }

  #condition(): Condition {
    if (this.#takes('NOT')) return { kind: 'not', part: this.#single() }
    if (this.#takes('(')) {
      const inner = this.#either()
      this.#need(')')
      return inner
    }
    const field = this.#name()
    const isNot = this.#takes('NOT')
    if (isNot || this.#peek() === 'IN') {
      this.#need('IN')
      const condition: Condition = { kind: 'compare', field, operator: 'IN', values: this.#list() }
      return isNot ? { kind: 'not', part: condition } : condition
    }
    const operator = this.#next().toUpperCase()
    if (!comparisons.has(operator)) throw new Malformed()
    return { kind: 'compare', field, operator, values: [this.#literal()] }
  }

  #list(): Literal[] {
    this.#need('(')
    const values = [this.#literal()]
    while (this.#takes(',')) values.push(this.#literal())
    this.#need(')')
    return values
  }

  #literal(): Literal {
    const word = this.#next()
    if (word.startsWith("'")) return word.slice(1, -1).replaceAll(/\\(.)/gs, '$1')
    if (/^-?\d+(\.\d+)?$/.test(word)) return Number(word)
    if (/^\d{4}-\d\d-\d\d$/.test(word)) return word
    const value = { TRUE: true, FALSE: false, NULL: null }[word.toUpperCase()]
    if (value === undefined) throw new Malformed()
    return value
  }

  #count(): number {
    const count = this.#literal()
    if (typeof count !== 'number' || !Number.isSafeInteger(count) || count < 0) throw new Malformed()
    return count
  }

  #name(): string {
    const word = this.#next()
    if (!/^[A-Za-z]/.test(word) || /^(FROM|WHERE|SELECT|AND|OR|NOT|IN)$/i.test(word)) throw new Malformed()
    return word
  }

  #peek(): string {
    return (this.#words[this.#at] ?? '').toUpperCase()
  }

  #takes(word: string): boolean {
    if (this.#peek() !== word) return false
    this.#at += 1
    return true
  }

  #need(word: string): void {
    if (!this.#takes(word)) throw new Malformed()
  }

  #next(): string {
    const word = this.#words[this.#at]
    if (word === undefined) throw new Malformed()
    this.#at += 1
    return word
  }
}
