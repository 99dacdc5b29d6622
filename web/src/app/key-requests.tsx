/** The requests made with one API key, for debugging a program. */
import { useParams } from 'wouter'
import { useAddressState, useGrowing, usePage } from '../look/address-state.ts'
import { Badge, type Tone } from '../look/badge.tsx'
import { Choice } from '../look/choice.tsx'
import { ListTable } from '../look/list-table.tsx'
import { count } from '../look/numbers.ts'
import { Page } from '../look/page.tsx'
import { api, type SortOf } from '../wire/api.ts'
import { useReadPage } from '../wire/use-read.ts'

const limit = 50

export default function KeyRequests() {
  const { prefix = '' } = useParams()
  const [outcome, setOutcome] = useAddressState('outcome')
  const [page] = usePage()
  const sort = useGrowing<SortOf<'listKeyRequests'>>()
  const failed = outcome === 'failed'
  const query = { page, limit, ...sort, outcome: failed ? 'failed' : 'all' } as const
  const requests = useReadPage(
    ['key-requests', prefix, failed, page, sort],
    () => api.GET('/api/keys/{prefix}/requests', { params: { path: { prefix }, query } }),
    { refetchInterval: 5_000 },
  )
  return (
    <Page
      title={`Requests of ${prefix}`}
      lead="What programs called with this key in the last seven days. Bodies and parameters are not kept."
    >
      <div className="filters">
        <Choice label="Answers" value={failed ? 'failed' : ''} set={setOutcome} options={['', 'failed']} />
      </div>
      <ListTable
        of={requests}
        what="the requests"
        pages={{ limit, one: 'request', newest: ({ at }) => at }}
        caption="Requests"
        keyOf={({ request_id, at }) => `${request_id} ${at}`}
        empty={
          <p>
            {failed ? 'No call failed.' : 'No requests with this key yet.'} A request appears about a second after its
            response.
          </p>
        }
        columns={[
          { head: 'At', sortedAs: 'at', at: ({ at }) => at },
          {
            head: 'Call',
            sortedAs: 'route',
            cell: ({ method, route }) => (
              <code>
                {method} {route}
              </code>
            ),
          },
          {
            head: 'Answer',
            sortedAs: 'status',
            cell: ({ status, error_code }) => (
              <>
                <Badge tone={toneOf(status)}>{String(status)}</Badge> {error_code && <code>{error_code}</code>}
              </>
            ),
          },
          { head: 'Took', sortedAs: 'ms', number: true, cell: ({ ms }) => `${count(ms)} ms` },
          { head: 'Request id', cell: ({ request_id }) => <code>{request_id}</code> },
        ]}
      />
    </Page>
  )
}

const toneOf = (status: number): Tone => (status < 400 ? 'good' : status < 500 ? 'warn' : 'bad')
