/** The operators and their roles. The token of a new one is shown once. */
import { Badge } from '../look/badge.tsx'
import { ListTable } from '../look/list-table.tsx'
import { Page } from '../look/page.tsx'
import { SecretOnce } from '../look/secret-once.tsx'
import { api } from '../wire/api.ts'
import { useRead } from '../wire/use-read.ts'
import { useMay } from './operator.ts'
import { OperatorAct } from './operator-act.tsx'
import { Sessions } from './sessions.tsx'

const roles = ['viewer', 'accountant', 'operator', 'owner'] as const

export default function Operators() {
  const mayDecide = useMay('owner')
  return (
    <Page
      title="Operators"
      lead="A viewer reads, an operator acts, an owner also decides who the operators are."
      acts={
        <OperatorAct
          label="Add an operator"
          title="Add an operator"
          tone="main"
          needs="owner"
          fields={[
            {
              name: 'name',
              label: 'Name',
              hint: 'Small letters, digits and . _ -; the audit log shows it with each action.',
            },
            { name: 'role', label: 'Role', options: roles, initial: 'operator' },
          ]}
          calls={({ name = '', role }) =>
            api.POST('/admin/operators', {
              body: { name, role: roles.find((each) => each === role) ?? 'viewer' },
            })
          }
          shows={({ name, token }) => <SecretOnce secret={token} what={`the token of ${name}`} />}
        />
      }
    >
      {mayDecide ? <OperatorList /> : <p>Only an owner sees and manages operators.</p>}
      <Sessions />
    </Page>
  )
}

function OperatorList() {
  const operators = useRead(['operators'], () => api.GET('/admin/operators'))
  return (
    <ListTable
      of={operators}
      what="the operators"
      caption="Operators"
      keyOf={({ name, created_at }) => `${name} ${created_at}`}
      empty={<p>No operators yet: the token from the environment is the only one. Add one for each person.</p>}
      columns={[
        { head: 'Name', by: ({ name }) => name },
        { head: 'Role', by: ({ role }) => role },
        {
          head: 'State',
          by: ({ revoked_at }) => (revoked_at ? 'revoked' : 'may sign in'),
          cell: ({ revoked_at }) => (
            <Badge tone={revoked_at ? 'plain' : 'good'}>{revoked_at ? 'revoked' : 'may sign in'}</Badge>
          ),
        },
        { head: 'Last seen', at: ({ last_used_at }) => last_used_at },
        {
          head: 'Change',
          cell: ({ name, revoked_at }) =>
            revoked_at === null && (
              <OperatorAct
                label="Revoke"
                title={`Revoke ${name}?`}
                says={() => `The token of ${name} no longer works.`}
                tone="danger"
                needs="owner"
                calls={() => api.DELETE('/admin/operators/{name}', { params: { path: { name } }, body: {} })}
              >
                <p>The token ends at once; what {name} did stays in the audit log.</p>
              </OperatorAct>
            ),
        },
      ]}
    />
  )
}
