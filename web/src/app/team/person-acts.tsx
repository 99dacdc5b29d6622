/** Admin actions on people: invite, change the role, reset the second factor, remove. */

import type { components } from '../../../../client/api-types.ts'
import { api, dataOf } from '../../wire/api.ts'
import { AccountAct } from '../account-act.tsx'
import { roleOf, roleOptions } from './roles.tsx'

type Person = components['schemas']['Person']

const invite = async (email: string, name: string | undefined, role: string | undefined) =>
  dataOf(await api.POST('/api/team', { body: { email, role: roleOf(role), ...(name && { name }) } }))

export function InvitePerson({ byMail }: { readonly byMail: boolean }) {
  return (
    <AccountAct
      needs="keys"
      label="Invite"
      title="Invite somebody"
      says={() => 'The invitation is made.'}
      tone="main"
      fields={[
        { name: 'email', label: 'E-mail', kind: 'email' },
        { name: 'name', label: 'Name', optional: true },
        { name: 'role', label: 'Role', options: roleOptions, initial: 'buyer' },
      ]}
      run={({ email = '', name, role }) => invite(email, name, role)}
    >
      <Sent byMail={byMail} />
    </AccountAct>
  )
}

function Sent({ byMail }: { readonly byMail: boolean }) {
  return byMail ? (
    <p>They get an e-mail with a link that signs them in once, within a week.</p>
  ) : (
    <p>No e-mail is sent. Ask the operator of this Panji for the link; it signs them in once, within a week.</p>
  )
}

export function PersonActs(props: {
  readonly of: Person
  readonly byMail: boolean
  readonly isLastAdmin: boolean
  /** A signed-in admin resets the second factor of others. */
  readonly mayReset: boolean
}) {
  const { byMail, isLastAdmin, mayReset } = props
  const { person_id, name, email, role, state, second_factor } = props.of
  const params = { path: { person_id } }
  if (isLastAdmin) return <span className="faint">the last admin stays</span>
  return (
    <div className="acts">
      {state === 'invited' && (
        <AccountAct
          needs="keys"
          label="Invite again"
          title={`Invite ${name} again?`}
          says={() => `${name} is invited again.`}
          run={() => invite(email, name, role)}
        >
          <Sent byMail={byMail} />
          <p>Earlier links stop working.</p>
        </AccountAct>
      )}
      <AccountAct
        needs="keys"
        label="Change role"
        title={`The role of ${name}`}
        says={() => `The role of ${name} is changed.`}
        fields={[{ name: 'role', label: 'Role', options: roleOptions, initial: role }]}
        calls={(typed) => api.PATCH('/api/team/{person_id}', { params, body: { role: roleOf(typed['role']) } })}
      >
        <p>It takes effect at once.</p>
      </AccountAct>
      {second_factor && mayReset && (
        <AccountAct
          needs="keys"
          label="Reset second factor"
          title={`Remove the second factor of ${name}?`}
          says={() => `The second factor of ${name} is removed.`}
          calls={() => api.DELETE('/api/team/{person_id}/second-factor', { params })}
        >
          <p>For someone who has lost it. A link alone signs them in until they add another.</p>
        </AccountAct>
      )}
      <AccountAct
        needs="keys"
        label="Remove"
        title={`Remove ${name}?`}
        says={() => `${name} is removed from the team.`}
        tone="danger"
        calls={() => api.DELETE('/api/team/{person_id}', { params })}
      >
        <p>Their sessions and links end at once. API keys that they made keep working: they belong to the account.</p>
      </AccountAct>
    </div>
  )
}
