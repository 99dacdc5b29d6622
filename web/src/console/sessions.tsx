/** Browser sessions of the console, each with a button that ends it. */
import { Act } from '../look/act.tsx'
import { ListTable } from '../look/list-table.tsx'
import { api, PanjiApiError } from '../wire/api.ts'
import { useRead } from '../wire/use-read.ts'

export function Sessions() {
  const sessions = useRead(['console sessions'], () => api.GET('/console/sessions'))
  return (
    <section>
      <h2>Sessions</h2>
      <ListTable
        of={sessions}
        what="the sessions"
        caption="Sessions"
        keyOf={({ session_id }) => session_id}
        empty={<p>No session is open.</p>}
        columns={[
          { head: 'Who', by: ({ name }) => name },
          { head: 'From', by: ({ opened_from }) => opened_from, cell: ({ opened_from }) => opened_from ?? '–' },
          { head: 'Since', at: ({ created_at }) => created_at },
          { head: 'Last seen', at: ({ last_used_at }) => last_used_at },
          { head: 'Ends', at: ({ expires_at }) => expires_at },
          {
            head: 'Change',
            cell: ({ session_id: id, current, name }) =>
              current ? (
                'this one'
              ) : (
                <Act
                  label="End"
                  title={`End this session of ${name}?`}
                  says={() => `The session of ${name} is ended.`}
                  tone="danger"
                  run={async () => {
                    const { error, response } = await api.DELETE('/console/sessions/{id}', {
                      params: { path: { id } },
                    })
                    if (error) throw new PanjiApiError(response.status, error)
                  }}
                />
              ),
          },
        ]}
      />
    </section>
  )
}
