/** A preview for people: counts by scope, and examples with the fields before and after. */
import { visible } from '../domain/visible.ts'
import type { Preview } from '../ingest/merge/preview.ts'
import { table } from './output.ts'

const number = (value: number): string => value.toLocaleString('en-IN')
/** On one line: a line break in a file's cell would forge the next line. */
const shown = (value: unknown): string => visible(typeof value === 'string' ? value : JSON.stringify(value))

export function previewText({ reasons, scopes, sample, ...counts }: Preview): string {
  const { inserted, updated, unchanged, skipped, closed } = counts
  const lines = [
    `would insert ${number(inserted)}, update ${number(updated)} and close ${number(closed)}; ${number(unchanged)} unchanged, ${number(skipped)} skipped`,
    ...reasons.map((reason) => `would wait for approval: ${reason}`),
  ]
  if (scopes.length > 0) {
    const headings = ['scope', 'inserted', 'updated', 'closed', 'open before']
    lines.push(
      '',
      table(
        headings,
        scopes.map((each) => [each.scope, each.inserted, each.updated, each.closed, each.open]),
      ),
    )
  }
  const part = (heading: string, entries: readonly string[]) => {
    if (entries.length > 0) lines.push('', heading, ...entries.map((entry) => `  ${entry}`))
  }
  part(
    'Inserted, for example',
    sample.inserted.map(({ identifier, fields }) => `${identifier}  ${fieldsText(fields)}`),
  )
  part(
    'Changed, for example',
    sample.updated.map(
      ({ identifier, changes }) =>
        `${identifier}  ${changes.map(({ field, before, after }) => `${field}: ${shown(before)} → ${shown(after)}`).join(', ')}`,
    ),
  )
  part(
    'Closed, for example',
    sample.closed.map(({ identifier, fields }) => `${identifier}  ${fieldsText(fields)}`),
  )
  return lines.join('\n')
}

/** Its first fields identify a record well enough. */
const fieldsText = (fields: Readonly<Record<string, unknown>>): string =>
  Object.entries(fields)
    .filter(([name]) =>
      ['name', 'legal_name', 'trade_name', 'full_name', 'status', 'district', 'description', 'email'].includes(name),
    )
    .map(([name, value]) => `${name}: ${shown(value)}`)
    .join(', ')
