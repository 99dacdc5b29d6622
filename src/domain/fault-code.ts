/**
 * The code of an error: `ENOENT` of the system, an SQLSTATE of the database.
 * @returns '' if it has none.
 */
export function codeOf(fault: unknown): string {
  const code = (fault as { code?: unknown } | null | undefined)?.code
  return typeof code === 'string' ? code : ''
}

/** Also true if the user's disk quota is used up. */
export const isDiskFull = (fault: unknown): boolean => ['ENOSPC', 'EDQUOT'].includes(codeOf(fault))
