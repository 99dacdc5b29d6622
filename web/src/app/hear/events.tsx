/** Events sent to webhooks, with each response; any event can be sent again. */

import { Link } from 'wouter'
import type { components } from '../../../../client/api-types.ts'
import { useGrowing, usePage } from '../../look/address-state.ts'
import { Badge, type Tone } from '../../look/badge.tsx'
import { ListTable } from '../../look/list-table.tsx'
import { counted } from '../../look/numbers.ts'
import { api, type SortOf } from '../../wire/api.ts'
import { useReadPage } from '../../wire/use-read.ts'
import { AccountAct } from '../account-act.tsx'
import { wordsOf } from './event-choice.ts'

const limit = 20
const tones = { pending: 'warn', delivered: 'good', failed: 'bad' } as const satisfies Record<string, Tone>

export function Events() {
  const [page] = usePage()
  const sort = useGrowing<SortOf<'listEvents'>>()
  const events = useReadPage(
    ['events', page, sort],
    () => api.GET('/api/crm/events', { params: { query: { page, limit, ...sort } } }),
    {
      refetchInterval: ({ state }) =>
        state.data?.data.some(({ notices }) => notices.some((notice) => notice.state === 'pending')) ? 5_000 : false,
    },
  )
  return (
    <section>
      <h2>Events</h2>
      <ListTable
        of={events}
        what="the events"
        pages={{ limit, one: 'event', newest: ({ created_at }) => created_at }}
        caption="Events"
        keyOf={({ event_id }) => event_id}
        empty={<p>No event was sent yet.</p>}
        columns={[
          { head: 'At', sortedAs: 'created_at', at: ({ created_at }) => created_at },
          {
            head: 'What',
            sortedAs: 'type',
            cell: ({ type, test, data: payload }) => <What type={wordsOf(type)} isTest={test} of={payload} />,
          },
          { head: 'Answers', cell: ({ notices }) => <Answers of={notices} /> },
          {
            head: 'Change',
            cell: ({ event_id }) => (
              <AccountAct
                needs="deliver"
                label="Send again"
                title="Send this event again?"
                calls={() => {
                  const params = { path: { event_id } }
                  return api.POST('/api/crm/events/{event_id}/replay', { params, body: {} })
                }}
                shows={({ replayed }) => <p role="status">It goes to {counted(replayed, 'webhook')}.</p>}
              >
                <p>It keeps its id and goes to the webhooks you have now.</p>
              </AccountAct>
            ),
          },
        ]}
      />
    </section>
  )
}

function What(props: {
  readonly type: string
  readonly isTest: boolean
  readonly of: Readonly<Record<string, unknown>>
}) {
  const { type, isTest, of } = props
  const order = of['order_id']
  if (isTest) {
    return (
      <>
        {type} <Badge tone="plain">test</Badge>
      </>
    )
  }
  return typeof order === 'string' ? <Link href={`/orders/${order}`}>{type}</Link> : type
}

type Notice = components['schemas']['Notice']

function Answers({ of: notices }: { readonly of: readonly Notice[] }) {
  if (notices.length === 0) return <span className="faint">no webhook</span>
  return (
    <ul>
      {notices.map(({ webhook_id, state, attempts, last_status, last_error }) => (
        <li key={webhook_id}>
          <Badge tone={tones[state]}>{state}</Badge> {[last_status, last_error].filter(Boolean).join(', ')} after{' '}
          {counted(attempts, 'try', 'tries')}
        </li>
      ))}
    </ul>
  )
}
