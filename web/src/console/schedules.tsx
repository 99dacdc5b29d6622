/** Schedules and their next runs: add, pause, run now, remove. */

import { Link } from 'wouter'
import { Badge } from '../look/badge.tsx'
import { ListTable } from '../look/list-table.tsx'
import { age } from '../look/moment.tsx'
import { Page } from '../look/page.tsx'
import { Tip } from '../look/tip.tsx'
import { api } from '../wire/api.ts'
import { AddSchedule } from './add-schedule.tsx'
import { cronWords } from './cron-words.ts'
import { ForOperators } from './for-operators.tsx'
import { NextRuns } from './next-runs.tsx'
import { OperatorAct } from './operator-act.tsx'
import { RunSchedule } from './run-schedule.tsx'
import { useSchedules } from './schedule-reads.ts'

export default function Schedules() {
  const schedules = useSchedules()
  return (
    <Page
      title="Schedules"
      lead="What Panji runs on a schedule. Schedules use their own time zone; last and next runs are in Indian time."
      acts={<AddSchedule />}
    >
      <ListTable
        of={schedules}
        what="the schedules"
        caption="Schedules"
        keyOf={({ name }) => name}
        empty={
          <p>
            Nothing is scheduled. <ForOperators>Press “Add a schedule”.</ForOperators>
          </p>
        }
        columns={[
          { head: 'Name', by: ({ name }) => name },
          {
            head: 'What',
            by: ({ job, source }) => source ?? job,
            cell: ({ job, source, input, mode }) =>
              source ? `${source} from ${input}${mode ? ` (${mode})` : ''}` : job,
          },
          {
            head: 'When',
            cell: ({ cron, timezone }) => (
              <>
                <CronOf line={cron} /> <span className="faint">{timezone}</span>
              </>
            ),
          },
          {
            head: 'State',
            cell: ({ paused, held_by }) =>
              held_by && !paused ? (
                <Link
                  href={`/runs/${held_by.run_id}`}
                >{`Held by import ${held_by.run_id} since ${age(held_by.since)}`}</Link>
              ) : (
                <Badge tone={paused ? 'warn' : 'good'}>{paused ? 'paused' : 'on'}</Badge>
              ),
          },
          {
            head: 'Last',
            by: ({ last_run }) => last_run,
            cell: ({ last_run }) => (last_run ? age(last_run) : 'never'),
          },
          {
            head: 'Next',
            by: ({ next_runs }) => next_runs[0],
            cell: ({ next_runs }) => <NextRuns at={next_runs} />,
          },
          { head: 'Change', cell: (row) => <ScheduleActs schedule={row} /> },
        ]}
      />
    </Page>
  )
}

interface ScheduleLike {
  readonly name: string
  readonly paused: boolean
  readonly origin: string
}

function ScheduleActs({ schedule: { name, paused, origin } }: { readonly schedule: ScheduleLike }) {
  const params = { path: { name } }
  return (
    <div className="acts">
      <RunSchedule name={name} />
      {paused ? (
        <OperatorAct
          label="Resume"
          title={`Resume ${name}?`}
          says={() => `${name} is resumed.`}
          calls={() => api.POST('/admin/schedules/{name}/resume', { params, body: {} })}
        >
          <p>Missed runs are not made up for.</p>
        </OperatorAct>
      ) : (
        <OperatorAct
          label="Pause"
          title={`Pause ${name}?`}
          says={() => `${name} is paused.`}
          calls={() => api.POST('/admin/schedules/{name}/pause', { params, body: {} })}
        >
          <p>It does not run until it is resumed.</p>
        </OperatorAct>
      )}
      {origin === 'operator' && (
        <OperatorAct
          label="Remove"
          title={`Remove ${name}?`}
          says={() => `${name} is removed.`}
          tone="danger"
          calls={() => api.DELETE('/admin/schedules/{name}', { params, body: {} })}
        />
      )}
    </div>
  )
}

/** In words where possible; a press shows the expression itself. */
function CronOf({ line }: { readonly line: string }) {
  const words = cronWords(line)
  const code = <code>{line}</code>
  if (!words) return code
  return (
    <Tip of={words} name="As cron">
      {code}
    </Tip>
  )
}
