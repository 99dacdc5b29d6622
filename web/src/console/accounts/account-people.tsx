/** The people of an account, for operators: invitations, and sign-in links for when no e-mail is sent or arrives. */
import { ListTable } from '../../look/list-table.tsx'
import { SecretOnce } from '../../look/secret-once.tsx'
import { api } from '../../wire/api.ts'
import { useRead } from '../../wire/use-read.ts'
import { OperatorAct } from '../operator-act.tsx'

const roles = ['viewer', 'buyer', 'admin'] as const

export function AccountPeople({ id }: { readonly id: string }) {
  const path = { id }
  const people = useRead(['accounts', 'people', id], () => api.GET('/admin/users/{id}/people', { params: { path } }))
  return (
    <section>
      <div className="page-head">
        <h2>People</h2>
        <OperatorAct
          label="Invite"
          title="Invite somebody into this account"
          says={() => 'The invitation is made.'}
          tone="main"
          fields={[
            { name: 'email', label: 'E-mail', kind: 'email' },
            { name: 'name', label: 'Name', optional: true },
            { name: 'role', label: 'Role', options: roles, initial: 'viewer' },
          ]}
          calls={({ email = '', name, role: typed }) => {
            const body = { email, role: roles.find((each) => each === typed) ?? 'viewer', ...(name && { name }) }
            return api.POST('/admin/users/{id}/people', { params: { path }, body })
          }}
        >
          <p>If this Panji sends e-mail, they get the link; otherwise make one in the list and hand it out.</p>
        </OperatorAct>
      </div>
      <ListTable
        of={people}
        what="the people"
        caption="People"
        keyOf={({ person_id }) => person_id}
        empty={<p>Nobody signs in to this account with a browser. Invite somebody.</p>}
        columns={[
          { head: 'Name', by: ({ name }) => name },
          { head: 'E-mail', by: ({ email }) => email },
          { head: 'Role', by: ({ role }) => role },
          { head: 'State', by: ({ state }) => state },
          { head: 'Invited', at: ({ invited_at }) => invited_at },
          { head: 'Last sign-in', at: ({ last_used_at }) => last_used_at },
          { head: 'Change', cell: ({ person_id, name }) => <HandOut id={id} personId={person_id} name={name} /> },
        ]}
      />
    </section>
  )
}

function HandOut({ id, personId, name }: { readonly id: string; readonly personId: string; readonly name: string }) {
  return (
    <OperatorAct
      label="Make a link"
      title={`A sign-in link for ${name}`}
      calls={() => {
        const params = { path: { id, person_id: personId } }
        return api.POST('/admin/users/{id}/people/{person_id}/link', { params, body: {} })
      }}
      shows={({ path }) => <SecretOnce secret={`${location.origin}${path}`} what={`the link for ${name}`} />}
    >
      <p>Anyone who has it can sign in as {name}, once. The account’s audit log records it.</p>
    </OperatorAct>
  )
}
