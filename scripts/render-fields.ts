/** `docs/fields.md`: every column of the registers with its name on each surface, from `config/fields`. */
import type { Column, Columns } from '../config/fields/column.ts'
import { fields, type Register } from '../config/fields/index.ts'
import { cellsOfLead, type Shown, screenerColumns, shownOn } from '../config/fields/shown.ts'
import { type EntityType, entityTypes } from '../src/domain/identity.ts'

const titles: Readonly<Record<Register, string>> = {
  company: 'Companies',
  gst: 'GST registrations',
  director: 'Directors',
  directorship: 'Appointments',
}
const isEntity = (register: Register): register is EntityType => entityTypes.some((type) => type === register)

export function renderFields(): string {
  const sections = (Object.keys(fields) as Register[]).map(
    (register) => `## ${titles[register]}\n\n${isEntity(register) ? shownTable(register) : plainTable(register)}`,
  )
  return `# Fields

Generated from \`config/fields\` by \`npm run docs\`; do not edit.

Every column of the registers, with its name in each kind of response: histories, details, search results (hits), feeds,
leads (nested, and as a flat row), and in screener queries. A dash means that the response does not contain it. Personal
columns contain personal data.

${sections.join('\n\n')}
`
}

function shownTable(register: EntityType): string {
  const surfaces: readonly (readonly [string, readonly Shown[]])[] = [
    ['Details', shownOn(register, 'details')],
    ['Hits', shownOn(register, 'hit')],
    ['Feed', shownOn(register, 'feed')],
    ['Lead', shownOn(register, 'lead')],
    ['Row', cellsOfLead(register)],
    ['Screener', screenerColumns(register)],
  ]
  return table(register, (column) =>
    surfaces.map(([title, shown]) => [title, shown.find((each) => each.column === column)?.name ?? null]),
  )
}

const plainTable = (register: Register): string => table(register, () => [])

function table(register: Register, namesOf: (column: string) => readonly (readonly [string, string | null])[]): string {
  const columns: Columns = fields[register]
  const rows = Object.entries(columns).map(([column, declared]: [string, Column]) => [
    ['Column', `\`${column}\``],
    ['What it is', declared.label],
    ['Kind', declared.kind],
    ['Personal', declared.isPersonal ? 'yes' : ''],
    ['History', named(declared.name)],
    ...namesOf(column).map(([title, name]) => [title, named(name)]),
  ])
  const line = (cells: readonly (string | undefined)[]) => `| ${cells.join(' | ')} |`
  const titlesOf = rows[0]?.map(([title]) => title) ?? []
  return [
    line(titlesOf),
    line(titlesOf.map(() => '---')),
    ...rows.map((cells) => line(cells.map(([, cell]) => cell))),
  ].join('\n')
}

const named = (name: string | null): string => (name === null ? '–' : `\`${name}\``)
