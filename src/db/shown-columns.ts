/** SQL of the columns that an answer shows, out of `config/fields`. What stands there is ours, so nothing is bound. */

import type { Shown } from '../../config/fields/shown.ts'
import { sql } from './sql.ts'

/** Expressions that stand for a column, by its name in the register. */
export type Instead = Readonly<Record<string, string>>

/** `r.cin AS "CIN", …` of the row `alias`. */
export const selected = (alias: string, shown: readonly Shown[], instead: Instead = {}): string =>
  shown.map(({ column, name }) => sql`${instead[column] ?? `${alias}.${column}`} AS "${name}"`).join(', ')

/** `'CIN', company.cin, …`: what jsonb_build_object takes. */
export const members = (alias: string, shown: readonly Shown[], instead: Instead = {}): string =>
  shown.map(({ column, name }) => `'${name}', ${instead[column] ?? `${alias}.${column}`}`).join(', ')
