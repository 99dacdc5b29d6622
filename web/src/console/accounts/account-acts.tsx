/**
 * Operator actions on an account: view as the account, change credits (each reference once), change the plan, suspend.
 */
import type { components } from '../../../../client/api-types.ts'
import { counted } from '../../look/numbers.ts'
import { api } from '../../wire/api.ts'
import { noteSignedIn } from '../../wire/session.ts'
import { OperatorAct } from '../operator-act.tsx'

type Account = components['schemas']['AccountState']

export function AccountActs({ account }: { readonly account: Account }) {
  return (
    <>
      {!account.suspended && <ViewAs account={account} />}
      <Credits account={account} />
      <Plan account={account} />
      {account.suspended ? <Unsuspend account={account} /> : <Suspend account={account} />}
    </>
  )
}

function ViewAs({ account: { user_id, email } }: { readonly account: Account }) {
  return (
    <OperatorAct
      label="As this account sees it"
      title={`See what ${email} sees`}
      fields={[{ name: 'reason', label: 'Reason', hint: 'The account sees it in its audit log.' }]}
      calls={({ reason = '' }) =>
        api.POST('/admin/users/{id}/view', { params: { path: { id: user_id } }, body: { reason } })
      }
      says={() => `You see what ${email} sees.`}
      done={({ address }) => {
        noteSignedIn('/app')
        location.assign(address)
      }}
    >
      <p>
        For half an hour you see its feeds, search, orders and access. You cannot change anything, nothing counts as its
        usage, and the audit log records each view under your name.
      </p>
    </OperatorAct>
  )
}

function Credits({ account: { user_id, email } }: { readonly account: Account }) {
  return (
    <OperatorAct
      label="Change credits"
      title={`Credits of ${email}`}
      fields={[
        { name: 'credits', label: 'Credits', kind: 'number', hint: 'A negative number removes credits.' },
        { name: 'reference', label: 'Reference', hint: 'A reference moves credits only once.' },
        { name: 'reason', label: 'Reason' },
        {
          name: 'type',
          label: 'Type',
          options: ['granted', 'purchased', 'plan'],
          hint: 'Purchased credits can only be removed.',
        },
        { name: 'expires', label: 'Last day', kind: 'date', optional: true },
      ]}
      calls={({ credits, reference = '', reason = '', type, expires }) => {
        const kinds = ['granted', 'purchased', 'plan'] as const
        const kind = kinds.find((each) => each === type) ?? 'granted'
        const body = { credits: Number(credits), reference, reason, type: kind, ...(expires && { expires }) }
        return api.POST('/admin/users/{id}/credits', { params: { path: { id: user_id } }, body })
      }}
      shows={({ applied, credit_balance }) => (
        <p role="status">
          {applied ? 'Done.' : 'That reference was used before, so nothing changed.'} The balance is{' '}
          {counted(credit_balance, 'credit')}.
        </p>
      )}
    />
  )
}

function Plan({ account: { user_id, email, plan, is_enterprise } }: { readonly account: Account }) {
  return (
    <OperatorAct
      label="Change plan"
      title={`Plan of ${email}`}
      says={() => `The plan of ${email} is changed.`}
      fields={[
        { name: 'plan', label: 'Plan', options: ['free', 'premium'], initial: plan },
        { name: 'enterprise', label: 'Enterprise', kind: 'check', optional: true, initial: is_enterprise ? 'on' : '' },
      ]}
      calls={(typed) => {
        const body = {
          plan: typed['plan'] === 'premium' ? 'premium' : 'free',
          is_enterprise: typed['enterprise'] === 'on',
        } as const
        return api.PUT('/admin/users/{id}/plan', { params: { path: { id: user_id } }, body })
      }}
    />
  )
}

function Suspend({ account: { user_id, email } }: { readonly account: Account }) {
  return (
    <OperatorAct
      label="Suspend"
      title={`Suspend ${email}?`}
      says={() => `${email} is suspended.`}
      tone="danger"
      fields={[{ name: 'reason', label: 'Reason', optional: true }]}
      calls={({ reason }) => {
        const params = { path: { id: user_id } }
        return api.POST('/admin/users/{id}/suspend', { params, body: reason ? { reason } : {} })
      }}
    >
      <p>Its sessions end at once, and its keys stop working until an operator lets it in again.</p>
    </OperatorAct>
  )
}

function Unsuspend({ account: { user_id, email } }: { readonly account: Account }) {
  return (
    <OperatorAct
      label="Let in again"
      title={`Let ${email} in again?`}
      says={() => `${email} is let in again.`}
      tone="main"
      calls={() => api.POST('/admin/users/{id}/unsuspend', { params: { path: { id: user_id } }, body: {} })}
    />
  )
}
