/**
 * Adds a schedule or changes an existing one: source, location and frequency in Indian time, with a preview of the next
 * runs.
 */

import type { FieldShape, Typed } from '../look/field-shape.ts'
import { api } from '../wire/api.ts'
import { cronFields } from './cron-form.ts'
import { cronOf } from './cron-line.ts'
import { cronWords } from './cron-words.ts'
import { NextRuns } from './next-runs.tsx'
import { OperatorAct } from './operator-act.tsx'
import { useOverview } from './overview.ts'
import { modeField, modeOf } from './runs/mode-field.ts'
import type { SourceName } from './runs/start-run.ts'
import { type Schedule, useSchedules } from './schedule-reads.ts'

export function AddSchedule() {
  const sources = useOverview().data?.sources.map(({ source }) => source) ?? []
  const schedules = useSchedules().data?.data ?? []
  const folders = foldersOf(schedules)
  return (
    <OperatorAct
      label="Add a schedule"
      title="Import a source on a schedule"
      tone="main"
      fields={[
        {
          ...{ name: 'name', label: 'Name' },
          hint: 'Small letters, digits and hyphens. An existing name changes that schedule.',
        },
        {
          ...{ name: 'changes', label: 'Change the schedule that has this name', kind: 'check' },
          when: { name: 'name', is: schedules.map(({ name }) => name) },
        },
        { name: 'source', label: 'What to import', options: sources },
        ...whereFields(folders),
        ...cronFields,
      ]}
      calls={({ name = '', source, ...typed }) => {
        const cron = cronOf(typed)
        const body = { name, cron, timezone: 'Asia/Kolkata', source: source as SourceName, ...whereOf(typed) }
        return api.POST('/admin/schedules', { body })
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
        A {folders.size > 0 && 'further '}folder of this machine is added from its terminal first, so that nobody can
        read its files remotely:{' '}
        <code>panji schedule add nightly --cron "30 2 * * *" --source mca-companies --input /srv/drop</code>
      </p>
    </OperatorAct>
  )
}

/** Folders added from a terminal, each with a schedule that reads it. */
const foldersOf = (schedules: readonly Schedule[]): ReadonlyMap<string, string> =>
  new Map(schedules.flatMap(({ input, name }) => (input === null || /^https?:/i.test(input) ? [] : [[input, name]])))

const atAddress = 'address'

function whereFields(folders: ReadonlyMap<string, string>): readonly FieldShape[] {
  const address: FieldShape = {
    ...{ name: 'address', label: 'From where' },
    hint: 'An address that begins with https:. Credentials in it are sealed.',
  }
  if (folders.size === 0) return [address, modeField]
  const options = [
    { value: atAddress, label: 'an address' },
    ...[...folders].map(([folder, name]) => ({ value: name, label: folder })),
  ]
  return [
    {
      ...{ name: 'where', label: 'From', options, initial: atAddress },
      hint: 'An address, or a folder that another schedule already reads.',
    },
    { ...address, label: 'Address', when: { name: 'where', is: [atAddress] } },
    { ...modeField, when: { name: 'where', is: [atAddress] } },
  ]
}

/** A folder keeps the mode of the schedule that names it. */
const whereOf = ({ where = atAddress, address = '', mode }: Typed) =>
  where === atAddress ? { address, ...modeOf(mode) } : { folder_of: where }
