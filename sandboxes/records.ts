/**
 * The records of a sandbox, indexed so that lookups by any field take the same time whatever their number: the first
 * lookup by a field builds its index, and each write maintains it. Records that are changed in place have to be put
 * again.
 */

export interface TableRecord {
  readonly id: string
  readonly object: string
}

interface Index {
  readonly ids: Map<unknown, Set<string>>
  /** The key under which a record was indexed, which may have changed since. */
  readonly keys: Map<string, unknown>
}

export class RecordTable<R extends TableRecord> {
  readonly #keyOf: (record: R, field: string) => unknown
  readonly #records = new Map<string, Map<string, R>>()
  readonly #objectOf = new Map<string, string>()
  /** Object → field → index. */
  readonly #indexes = new Map<string, Map<string, Index>>()

  /** @param keyOf the index key of a record's field; undefined or null if it is empty. */
  constructor(keyOf: (record: R, field: string) => unknown) {
    this.#keyOf = keyOf
  }

  /** In order of creation. */
  all(): R[] {
    return [...this.#objectOf].flatMap(([id, object]) => this.#records.get(object)?.get(id) ?? [])
  }

  of(object: string): IterableIterator<R> {
    return (this.#records.get(object) ?? new Map<string, R>()).values()
  }

  get(id: string): R | undefined {
    return this.#records.get(this.#objectOf.get(id) ?? '')?.get(id)
  }

  /** @param key as returned by `keyOf`. */
  find(object: string, field: string, key: unknown): R[] {
    const ids = this.#index(object, field).ids.get(key) ?? []
    return [...ids].flatMap((id) => this.#records.get(object)?.get(id) ?? [])
  }

  put(record: R): R {
    const { id, object } = record
    const records = this.#records.get(object) ?? new Map<string, R>()
    this.#records.set(object, records.set(id, record))
    this.#objectOf.set(id, object)
    for (const [field, index] of this.#indexes.get(object) ?? []) this.#file(index, field, record)
    return record
  }

  delete(id: string): boolean {
    const object = this.#objectOf.get(id)
    if (object === undefined) return false
    this.#objectOf.delete(id)
    this.#records.get(object)?.delete(id)
    for (const index of this.#indexes.get(object)?.values() ?? []) this.#unfile(index, id)
    return true
  }

  clear(): void {
    this.#records.clear()
    this.#objectOf.clear()
    this.#indexes.clear()
  }

  #index(object: string, field: string): Index {
    const indexes = this.#indexes.get(object) ?? new Map<string, Index>()
    this.#indexes.set(object, indexes)
    const present = indexes.get(field)
    if (present) return present
    const index: Index = { ids: new Map(), keys: new Map() }
    indexes.set(field, index)
    for (const record of this.of(object)) this.#file(index, field, record)
    return index
  }

  #file(index: Index, field: string, record: R): void {
    this.#unfile(index, record.id)
    const key = this.#keyOf(record, field)
    if (key === undefined || key === null) return
    index.keys.set(record.id, key)
    const ids = index.ids.get(key) ?? new Set()
    index.ids.set(key, ids.add(record.id))
  }

  #unfile({ ids, keys }: Index, id: string): void {
    if (!keys.has(id)) return
    const key = keys.get(id)
    keys.delete(id)
    const filed = ids.get(key)
    filed?.delete(id)
    if (filed?.size === 0) ids.delete(key)
  }
}
