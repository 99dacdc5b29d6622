/**
 * Columns of the registers under the names that histories use for them: those of `config/fields`. A column without a name
 * there is shown by no answer of the API (the date of birth), and stays out of histories too; bookkeeping has no names.
 */
import type { Column, Columns } from '../../../config/fields/column.ts'
import { fields, type Register } from '../../../config/fields/index.ts'

export const historyEntities = ['company', 'gst', 'director', 'directorship'] as const satisfies readonly Register[]
export type HistoryEntity = (typeof historyEntities)[number]

const namesOf = (columns: Columns): Readonly<Record<string, string>> => ({
  ...Object.fromEntries(
    Object.entries(columns).flatMap(([column, { name }]) => (name === null ? [] : [[column, name]])),
  ),
  closed_on: 'closedOn',
})

/** Under which e-mail addresses stand in histories: one that its owner had suppressed is left out. */
export const emailNames: ReadonlySet<string> = new Set(
  historyEntities.flatMap((entity) =>
    Object.values<Column>(fields[entity]).flatMap(({ kind, name }) =>
      kind === 'email' && name !== null ? [name] : [],
    ),
  ),
)

export const fieldNames: Readonly<Record<HistoryEntity, Readonly<Record<string, string>>>> = {
  company: namesOf(fields.company),
  gst: namesOf(fields.gst),
  director: namesOf(fields.director),
  directorship: namesOf(fields.directorship),
}
