/**
 * The layers of expressions that the rules of a source's columns compose the check from, each over the one below. A
 * rule requests cells, prepares and joins what it needs, and adds values, faults and repairs; statement.ts renders the
 * result.
 */
import type { RejectCode } from '../run/reject-codes.ts'
import type { DateOrderDecision, DateOrders } from './date-order.ts'

export interface Fault {
  readonly code: RejectCode
  /** Over the layer of typed values (checked). */
  readonly when: string
  readonly message: string
}

export interface Repair {
  /** One kind, or an expression over `checked` for several, separated by spaces. */
  readonly kind: string | { readonly sql: string }
  /** Over the layer of typed values (checked). */
  readonly when: string
}

export class CheckLayers {
  readonly fields = new Set<string>()
  readonly prepared = new Map<string, string>()
  readonly joins = new Map<string, string>()
  readonly joined = new Map<string, string>()
  readonly named = new Map<string, string>()
  readonly values = new Map<string, string>()
  readonly composed = new Map<string, string>()
  /** Columns whose values are cells for read-contacts.ts. */
  readonly unread = new Set<string>()
  readonly faults: Fault[] = []
  readonly repaired: Repair[] = []
  readonly positions: ReadonlyMap<string, number>
  readonly #dateOrders: DateOrders
  readonly hasNicList: boolean

  constructor(options: CheckOptions) {
    this.positions = options.positions
    this.#dateOrders = options.dateOrders
    this.hasNicList = options.hasNicList
  }

  has(field: string): boolean {
    return this.positions.has(field)
  }

  /** The trimmed cell of a field, as every layer above sees it. */
  field(name: string): string {
    this.fields.add(name)
    return `f_${snake(name)}`
  }

  /** Undefined if no date of the field is ambiguous. */
  dateOrder(field: string): DateOrderDecision | undefined {
    return this.#dateOrders.get(field)
  }

  leaveUnread(what: string): string {
    const column = `unread_${what}`
    this.unread.add(column)
    return column
  }

  prepare(alias: string, sql: string): string {
    this.prepared.set(alias, sql)
    return alias
  }
}

export interface CheckOptions {
  readonly stageTable: string
  readonly positions: ReadonlyMap<string, number>
  /** False while reference.pincode is empty: districts then come from the text alone. */
  readonly hasPinDirectory: boolean
  readonly hasNicList: boolean
  readonly dateOrders: DateOrders
}

export const snake = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
