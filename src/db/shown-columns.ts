/** SQL for the columns that a response shows, from `config/fields`. The names are our own, so nothing is bound. */

import type { Shown } from '../../config/fields/shown.ts'
import { sql } from './sql.ts'

/** Expressions that replace a column, by its name in the register. */
export type Instead = Readonly<Record<string, string>>

/** `r.cin AS "CIN", …` for the row `alias`. */
export const selected = (alias: string, shown: readonly Shown[], instead: Instead = {}): string =>
  shown.map(({ column, name }) => sql`${instead[column] ?? `${alias}.${column}`} AS "${name}"`).join(', ')

/** `'CIN', company.cin, …`: arguments for jsonb_build_object. */
export const members = (alias: string, shown: readonly Shown[], instead: Instead = {}): string =>
  shown.map(({ column, name }) => `'${name}', ${instead[column] ?? `${alias}.${column}`}`).join(', ')
