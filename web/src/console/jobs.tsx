/** Dead letters with the two ways out, and all other jobs. */
import { useAddressState, useGrowing, usePage } from '../look/address-state.ts'
import { Badge, type Tone } from '../look/badge.tsx'
import { Choice } from '../look/choice.tsx'
import { DataTable } from '../look/data-table.tsx'
import { ListTable } from '../look/list-table.tsx'
import { count, counted } from '../look/numbers.ts'
import { Page } from '../look/page.tsx'
import { Reading } from '../look/reading.tsx'
import { SearchBox } from '../look/search-box.tsx'
import { api, type SortOf } from '../wire/api.ts'
import { useRead, useReadPage } from '../wire/use-read.ts'
import { OperatorAct } from './operator-act.tsx'

const limit = 50
const deadMax = 100
const everyMs = 10_000
const tones = {
  created: 'plain',
  retry: 'warn',
  active: 'good',
  completed: 'plain',
  cancelled: 'plain',
  failed: 'bad',
} as const satisfies Record<string, Tone>
const states = Object.keys(tones) as (keyof typeof tones)[]

export default function Jobs() {
  return (
    <Page title="Jobs" lead="What a worker does, did, and could not do.">
      <DeadLetters />
      <AllJobs />
    </Page>
  )
}

function DeadLetters() {
  const dead = useRead(
    ['jobs', 'dead'],
    () => api.GET('/admin/jobs/dead', { params: { query: { page: 1, limit: deadMax } } }),
    { refetchInterval: everyMs },
  )
  return (
    <section>
      <div className="page-head">
        <h2>Dead letters</h2>
        {(dead.data?.total ?? 0) > 0 && (
          <div className="acts">
            <Settle act="redrive" />
            <Settle act="discard" />
          </div>
        )}
      </div>
      <Reading of={dead} what="the dead letters">
        {({ data, total }) => (
          <>
            <DataTable
              caption="Dead letters"
              rows={data}
              isPart={total > data.length}
              keyOf={({ job_id }) => job_id}
              empty={<p>No job failed for good.</p>}
              columns={[
                { head: 'Failed', at: ({ failed_at }) => failed_at },
                { head: 'Queue', by: ({ queue }) => queue, cell: ({ queue }) => queue ?? '–' },
                {
                  head: 'Why',
                  by: ({ code }) => code,
                  cell: ({ code, message }) => <Why code={code} message={message} />,
                },
                { head: 'Of what', cell: ({ payload }) => <code>{JSON.stringify(payload)}</code> },
                { head: 'Attempts', by: ({ attempts }) => attempts, number: count },
                {
                  head: 'Change',
                  cell: ({ job_id }) => (
                    <div className="acts">
                      <Settle act="redrive" id={job_id} />
                      <Settle act="discard" id={job_id} />
                    </div>
                  ),
                },
              ]}
            />
            {total > data.length && (
              <p className="faint">
                The oldest {deadMax} of {count(total)} are shown.
              </p>
            )}
          </>
        )}
      </Reading>
    </section>
  )
}

function Why({ code, message }: { readonly code: string | null; readonly message: string | null }) {
  return (
    <>
      {message ?? '–'} {code && <a href={`/docs/errors#${code}`}>{code}</a>}
    </>
  )
}

const acts = {
  redrive: {
    path: '/admin/jobs/dead/redrive',
    label: 'Run again',
    title: 'Run it again, with all its attempts?',
    titleOfAll: 'Run all of them again, with all their attempts?',
    words: 'Do this once the cause is fixed. A worker puts it back in its queue.',
    tone: 'main',
  },
  discard: {
    path: '/admin/jobs/dead/discard',
    label: 'Discard',
    title: 'Discard it for good?',
    titleOfAll: 'Discard all of them for good?',
    words: 'Its work will not be done.',
    tone: 'danger',
  },
} as const

/** When all are run again, some may be left out. */
interface Settled {
  readonly job_ids: readonly string[]
  readonly left?: readonly { readonly job_id: string; readonly queue: string | null; readonly reason: string }[]
}

function Settle({ act, id }: { readonly act: keyof typeof acts; readonly id?: string }) {
  const { path, label, title, titleOfAll, words, tone } = acts[act]
  return (
    <OperatorAct
      label={id === undefined ? `${label}: all` : label}
      title={id === undefined ? titleOfAll : title}
      {...(id === undefined ? { tone } : {})}
      calls={() => api.POST(path, { body: id === undefined ? { all: true } : { job_ids: [id] } })}
      shows={({ job_ids, left = [] }: Settled) => (
        <div role="status">
          <p>A worker handles {counted(job_ids.length, 'job')} now.</p>
          {left.length > 0 && (
            <>
              <p>{counted(left.length, 'job')} not run again:</p>
              <ul>
                {left.map(({ job_id, queue, reason }) => (
                  <li key={job_id}>{`${queue ?? job_id}. ${reason}`}</li>
                ))}
              </ul>
            </>
          )}
        </div>
      )}
    >
      <p>{words}</p>
    </OperatorAct>
  )
}

function AllJobs() {
  const [queue, setQueue] = useAddressState('queue')
  const [state, setState] = useAddressState('state')
  const [page] = usePage()
  const sort = useGrowing<SortOf<'listJobs'>>()
  const known = states.find((each) => each === state)
  const query = { page, limit, ...sort, ...(queue && { queue }), ...(known && { state: known }) }
  const jobs = useReadPage(['jobs', queue, state, page, sort], () => api.GET('/admin/jobs', { params: { query } }), {
    refetchInterval: everyMs,
  })
  return (
    <section>
      <h2>All jobs</h2>
      <SearchBox label="Queue" value={queue} set={setQueue} />
      <div className="filters">
        <Choice label="State" value={state} options={['', ...states]} set={setState} />
      </div>
      <ListTable
        of={jobs}
        what="the jobs"
        pages={{ limit, one: 'job', newest: ({ created_at }) => created_at }}
        caption="Jobs"
        keyOf={({ job_id }) => job_id}
        empty={<p>No job matches these filters.</p>}
        columns={[
          { head: 'Made', sortedAs: 'created_at', at: ({ created_at }) => created_at },
          { head: 'Queue', sortedAs: 'queue', cell: (job) => job.queue },
          { head: 'State', sortedAs: 'state', cell: (job) => <Badge tone={tones[job.state]}>{job.state}</Badge> },
          { head: 'Attempts', cell: ({ attempts }) => count(attempts), number: true },
          { head: 'Due', sortedAs: 'due_at', at: ({ due_at }) => due_at },
          { head: 'Ended', sortedAs: 'ended_at', at: ({ ended_at }) => ended_at },
          { head: 'Failure', cell: ({ code, message }) => <Why code={code} message={message} /> },
        ]}
      />
    </section>
  )
}
