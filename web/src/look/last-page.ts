/** Where the pages of a list end. */

/** Rows of a register that pages by number reach: each further page would read all rows before it. */
export const registerReach = 10_000

/** @param reach rows; none: the list is paged to its end. */
export const lastPageOf = (total: number, limit: number, reach = Number.POSITIVE_INFINITY): number =>
  Math.max(1, total > reach ? Math.floor(reach / limit) : Math.ceil(total / limit))
