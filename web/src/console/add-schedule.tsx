/** Adds a schedule, or changes one that was added: what is fetched from where, how often, in Indian time. Its next runs are shown. */

import { api, dataOf } from '../wire/api.ts'
import { cronFields } from './cron-form.ts'
import { cronOf } from './cron-line.ts'
import { cronWords } from './cron-words.ts'
import { NextRuns } from './next-runs.tsx'
import { OperatorAct } from './operator-act.tsx'
import { useOverview } from './overview.ts'
import type { SourceName } from './runs/start-run.ts'

export function AddSchedule() {
  const sources = useOverview().data?.sources.map(({ source }) => source) ?? []
  return (
    <OperatorAct
      label="Add a schedule"
      title="Import a source on a schedule"
      tone="main"
      fields={[
        {
          ...{ name: 'name', label: 'Name' },
          hint: 'Small letters, digits and hyphens. The name of one that was added changes it.',
        },
        { name: 'source', label: 'What to import', options: sources },
        {
          name: 'address',
          label: 'From where',
          hint: 'An address that begins with https:. Credentials in it are sealed.',
        },
        ...cronFields,
      ]}
      run={async ({ name = '', source, address = '', ...typed }) => {
        const cron = cronOf(typed)
        const body = { name, cron, timezone: 'Asia/Kolkata', source: source as SourceName, address }
        return dataOf(await api.POST('/admin/schedules', { body }))
      }}
      shows={({ name, cron, next_runs }) => (
        <div role="status">
          <p>
            {name} runs: {cronWords(cron) ?? <code>{cron}</code>}, in Indian time. The next are:
          </p>
          <NextRuns at={next_runs} />
        </div>
      )}
    >
      <p>
        A folder of this machine is named at its terminal alone, so that nobody reads its files from elsewhere:{' '}
        <code>panji schedule add nightly --cron "30 2 * * *" --source mca-companies --input /srv/drop</code>
      </p>
    </OperatorAct>
  )
}
