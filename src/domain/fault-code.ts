/**
 * The code of a fault, by which programs tell it from others: `ENOENT` of the system, an SQLSTATE of the database.
 * @returns '' for what has none.
 */
export function codeOf(fault: unknown): string {
  const code = (fault as { code?: unknown } | null | undefined)?.code
  return typeof code === 'string' ? code : ''
}

/** Also where it is the user's quota that is used up. */
export const isDiskFull = (fault: unknown): boolean => ['ENOSPC', 'EDQUOT'].includes(codeOf(fault))
