/** Audit log entries, for operators and for the account itself. */
import type { components } from '../../../client/api-types.ts'
import { DataTable } from './data-table.tsx'
import { Tip } from './tip.tsx'

export type AuditRow = Pick<
  components['schemas']['OwnAuditEntry'],
  'at' | 'kind' | 'actor' | 'person' | 'action' | 'subject' | 'reason' | 'address'
>

export function AuditTable({ entries }: { readonly entries: readonly AuditRow[] }) {
  const numbered = entries.map((entry, index) => ({ ...entry, key: index }))
  return (
    <DataTable
      caption="Audit log"
      rows={numbered}
      keyOf={({ key }) => key}
      empty={<p>Nothing of that kind happened yet.</p>}
      columns={[
        { head: 'At', sortedAs: 'at', at: ({ at }) => at },
        { head: 'Kind', cell: ({ kind }) => kind },
        { head: 'Who', cell: (entry) => <Who of={entry} /> },
        { head: 'What', cell: ({ action }) => action },
        { head: 'Of what', cell: ({ subject }) => <Shortened text={subject} /> },
        { head: 'Why', cell: ({ reason }) => (reason === null ? '–' : <Shortened text={reason} />) },
        { head: 'From', cell: ({ address }) => address ?? '–' },
      ]}
    />
  )
}

/** For the account itself its own actions say `you`, with the person's name or the key. */
function Who({ of: { actor, person } }: { readonly of: Pick<AuditRow, 'actor' | 'person'> }) {
  if (person !== null) return person
  return actor === 'you' ? 'an API key' : <Shortened text={actor} />
}

/** The first eight characters of a 36-character id; a press shows all of it. */
function Shortened({ text }: { readonly text: string }) {
  const short = text.replaceAll(/([\da-f]{8})-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}/g, '$1…')
  if (short === text) return text
  return (
    <Tip of={short} name="In full">
      <code>{text}</code>
    </Tip>
  )
}
