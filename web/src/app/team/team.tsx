/** The people of the account: roles, invitations, and who is signed in now. */
import { useContext } from 'react'
import type { components } from '../../../../client/api-types.ts'
import { Badge } from '../../look/badge.tsx'
import type { Column } from '../../look/column.ts'
import { DataTable } from '../../look/data-table.tsx'
import { Page } from '../../look/page.tsx'
import { Reading } from '../../look/reading.tsx'
import { api } from '../../wire/api.ts'
import { useRead } from '../../wire/use-read.ts'
import { Account, useMay } from '../account.ts'
import { FactorRule } from './factor-rule.tsx'
import { InvitePerson, PersonActs } from './person-acts.tsx'
import { Roles } from './roles.tsx'
import { SecondFactor } from './second-factor.tsx'
import { Sessions } from './sessions.tsx'

type Person = components['schemas']['Person']

export default function Team() {
  const team = useRead(['team'], () => api.GET('/api/team'))
  const mayDecide = useMay('keys')
  const { person } = useContext(Account)
  const me = team.data?.data.find(({ person_id }) => person_id === person?.person_id)
  return (
    <Page
      title="Team"
      lead="Who signs in to this account. Programs use API keys instead."
      acts={<InvitePerson byMail={team.data?.mails_invitations ?? false} />}
    >
      <Reading of={team} what="your team">
        {({ data, mails_invitations }) => (
          <>
            {!mails_invitations && (
              <p className="notice">This Panji sends no e-mail. Its operator hands out invitation and sign-in links.</p>
            )}
            <People people={data} byMail={mails_invitations} mayDecide={mayDecide} />
            {!mayDecide && <p className="faint">An admin invites people and gives roles.</p>}
          </>
        )}
      </Reading>
      {me && <SecondFactor isOn={me.second_factor} />}
      {team.data && <FactorRule isRequired={team.data.second_factor_required} />}
      <Roles />
      <Sessions />
    </Page>
  )
}

function People(props: { readonly people: readonly Person[]; readonly byMail: boolean; readonly mayDecide: boolean }) {
  const { people, byMail, mayDecide } = props
  const { person } = useContext(Account)
  const admins = people.filter(({ role, state }) => role === 'admin' && state === 'active').length
  const change: Column<Person> = {
    head: 'Change',
    cell: (each) => (
      <PersonActs
        of={each}
        byMail={byMail}
        isLastAdmin={each.role === 'admin' && each.state === 'active' && admins === 1}
        mayReset={person !== null && each.person_id !== person.person_id}
      />
    ),
  }
  return (
    <DataTable
      caption="People"
      rows={people}
      keyOf={({ person_id }) => person_id}
      empty={<p>This team has no members yet.</p>}
      columns={[
        {
          head: 'Name',
          by: ({ name }) => name,
          cell: ({ name, person_id }) => (person_id === person?.person_id ? `${name} (you)` : name),
        },
        { head: 'E-mail', by: ({ email }) => email },
        { head: 'Role', by: ({ role }) => role },
        { head: 'State', by: ({ state }) => state, cell: (each) => <State of={each} /> },
        { head: 'Second factor', by: ({ second_factor }) => (second_factor ? 'yes' : 'no') },
        { head: 'Last sign-in', at: ({ last_used_at }) => last_used_at },
        ...(mayDecide ? [change] : []),
      ]}
    />
  )
}

function State({ of: { state, invitation_ends_at } }: { readonly of: Person }) {
  if (state === 'active') return <Badge tone="good">active</Badge>
  if (invitation_ends_at && Date.parse(invitation_ends_at) <= Date.now())
    return <Badge tone="warn">invitation expired</Badge>
  return <Badge tone="plain">invited</Badge>
}
