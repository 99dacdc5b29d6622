/** Open browser sessions. People can end their own, an admin can end any. */
import { useContext } from 'react'
import { DataTable } from '../../look/data-table.tsx'
import { Reading } from '../../look/reading.tsx'
import { api } from '../../wire/api.ts'
import { useRead } from '../../wire/use-read.ts'
import { Account } from '../account.ts'
import { AccountAct } from '../account-act.tsx'

export function Sessions() {
  const { person } = useContext(Account)
  const sessions = useRead(['sessions'], () => api.GET('/api/sessions'))
  const mayEnd = (personId: string) => person === null || person.role === 'admin' || person.person_id === personId
  return (
    <section>
      <h2>Signed in now</h2>
      <Reading of={sessions} what="who is signed in">
        {({ data }) => (
          <DataTable
            caption="Signed in now"
            rows={data.flatMap(({ person: by, ...session }) => (by ? [{ ...session, by }] : []))}
            keyOf={({ session_id }) => session_id}
            empty={<p>You are signed in with an API key; no person is signed in.</p>}
            columns={[
              { head: 'Who', by: ({ by }) => by.name },
              { head: 'From', by: ({ opened_from }) => opened_from, cell: ({ opened_from }) => opened_from ?? '–' },
              { head: 'Since', at: ({ created_at }) => created_at },
              { head: 'Until', at: ({ expires_at }) => expires_at },
              {
                head: 'Change',
                cell: ({ session_id: id, current, by }) => {
                  if (current) return 'this one'
                  if (!mayEnd(by.person_id)) return null
                  return (
                    <AccountAct
                      needs="read"
                      label="End"
                      title={`End this session of ${by.name}?`}
                      says={() => `The session of ${by.name} is ended.`}
                      tone="danger"
                      calls={() => api.DELETE('/api/sessions/{id}', { params: { path: { id } }, body: {} })}
                    />
                  )
                },
              },
            ]}
          />
        )}
      </Reading>
    </section>
  )
}
