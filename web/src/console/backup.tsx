/**
 * Backups are made and restored on the machine, because the file holds the keys; this page shows the commands to type.
 */
import { useQuery } from '@tanstack/react-query'
import { Command } from '../look/command.tsx'
import { DataTable } from '../look/data-table.tsx'
import { indianDay } from '../look/indian-day.ts'
import { age } from '../look/moment.tsx'
import { Page } from '../look/page.tsx'
import { Reading } from '../look/reading.tsx'
import { api, dataOf } from '../wire/api.ts'

const actions = ['back up', 'finish backup', 'restore'] as const
const wordsByAction: Readonly<Record<string, string>> = { 'back up': 'backup begun', 'finish backup': 'backup written' }
const wordsOf = ({ action }: { readonly action: string }): string => wordsByAction[action] ?? 'restored'

export default function Backup() {
  const file = `panji-${indianDay()}.tar.gz`
  return (
    <Page
      title="Backup"
      lead="A backup file holds everything, including the keys. So it is written and read on the machine, not through a browser."
    >
      <h2>Taken so far</h2>
      <Taken />
      <h2>Take one</h2>
      <p>While Panji runs. It is read back and restored at once, so that a bad backup is found now.</p>
      <Command text={`npx panji backup ${file} --verify-restore`} />
      <h2>Try it before you need it</h2>
      <p>Restore it into an empty folder of its own, then let the doctor check it.</p>
      <Command text={`PANJI_DATA_DIR=restored npx panji restore ${file}`} />
      <Command text="PANJI_DATA_DIR=restored npx panji doctor" />
      <h2>Restore it</h2>
      <p>
        With Panji stopped. The current data directory is moved to <code>before-restore-…</code>, not overwritten.
      </p>
      <Command text={`npx panji restore ${file} --force`} />
      <h2>What it needs</h2>
      <p>
        With a database of your own, <code>PANJI_SECRET_KEY</code> must be the one of the backup. The audit log records
        who took a backup and who restored one.
      </p>
    </Page>
  )
}

/** From the audit log: Panji does not know the machine's own backup schedule. */
function Taken() {
  const taken = useQuery({
    queryKey: ['backups'],
    queryFn: async () => {
      const read = actions.map(async (action) =>
        dataOf(await api.GET('/admin/audit', { params: { query: { action, limit: 10 } } })),
      )
      return (await Promise.all(read)).flatMap(({ data }) => data).toSorted((a, b) => b.at.localeCompare(a.at))
    },
  })
  return (
    <Reading of={taken} what="the backups that were taken">
      {(rows) => (
        <DataTable
          caption="Backups and restores"
          rows={rows}
          keyOf={({ id }) => id}
          empty={<p>No backups yet. Take the first one before you need it.</p>}
          columns={[
            { head: 'What', by: wordsOf },
            { head: 'At', at: ({ at }) => at },
            { head: 'Age', cell: ({ at }) => age(at) },
            { head: 'By', by: ({ actor }) => actor },
          ]}
        />
      )}
    </Reading>
  )
}
