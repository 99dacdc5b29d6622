/**
 * The names of the registers' columns in histories, from `config/fields`. A column without a name there (the date of
 * birth) is shown in no API response and left out of histories, too; bookkeeping columns have no names.
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

/** The names of e-mail addresses in histories; suppressed ones are left out. */
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
