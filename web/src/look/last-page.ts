/** Rows of a register that can be reached by page number: each page reads all rows before it. */
export const registerReach = 10_000

/** @param reach rows that can be paged to; by default all. */
export const lastPageOf = (total: number, limit: number, reach = Number.POSITIVE_INFINITY): number =>
  Math.max(1, total > reach ? Math.floor(reach / limit) : Math.ceil(total / limit))
