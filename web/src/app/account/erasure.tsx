/**
 * Erases the account for good. The server requires a sign-in within the last minutes and the e-mail as a confirmation,
 * so the form asks for both. It says first what is lost and what the ledger keeps.
 */
import { useContext } from 'react'
import type { components } from '../../../../client/api-types.ts'
import { Facts } from '../../look/facts.tsx'
import type { FieldShape } from '../../look/field-shape.ts'
import { Mistyped } from '../../look/mistyped.ts'
import { count, counted } from '../../look/numbers.ts'
import { api, dataOf, PanjiApiError } from '../../wire/api.ts'
import { endSessionBy } from '../../wire/csrf.ts'
import { forgetSession, queries, sessionKey } from '../../wire/queries.ts'
import { type AccountSession, signIn } from '../../wire/session.ts'
import { useRead } from '../../wire/use-read.ts'
import { Account, useMay } from '../account.ts'
import { AccountAct } from '../account-act.tsx'

const fields: readonly FieldShape[] = [
  { name: 'confirm', label: 'E-mail of the account', kind: 'email', hint: 'Type it out to confirm.' },
]
const fieldsOfKey: readonly FieldShape[] = [
  ...fields,
  {
    name: 'api_key',
    label: 'API key',
    kind: 'password',
    hint: 'A key with every scope that the account has had for a day. It signs you in again for this step.',
  },
]

export function Erasure() {
  const [may, alsoMay] = [useMay('order', true), useMay('deliver', true)]
  const { user_id, person, email } = useContext(Account)
  const me = useRead(['me'], () => api.GET('/api/users/me'))
  if (!may || !alsoMay) return null
  return (
    <section>
      <h2>Erase the account</h2>
      <p>Everything in it is deleted at once, for good.</p>
      <AccountAct
        needs="read"
        asAdmin
        label="Erase the account"
        title="Erase the account for good?"
        tone="danger"
        fields={person ? fields : fieldsOfKey}
        run={async ({ confirm = '', api_key = '' }) => {
          if (confirm !== email) throw new Mistyped(`The e-mail of this account is ${email}. Type it out to confirm.`)
          if (person === null) await signInAgain(api_key, user_id)
          return endSessionBy(async () => dataOf(await api.DELETE('/api/users/me/account', { body: { confirm } })))
        }}
        shows={(receipt) => <Receipt of={receipt} />}
        closed={forgetSession}
      >
        <p>
          Keys, sessions, screeners, watchlists, CRMs, leads and{' '}
          {me.data ? counted(me.data.credit_balance, 'remaining credit') : 'remaining credits'} are lost and cannot be
          recovered.{' '}
          {person && 'You must have signed in within the last five minutes, and been invited more than a day ago. '}
          Leads already delivered to your CRM stay there. Save your orders and invoices first.
        </p>
      </AccountAct>
    </section>
  )
}

/** An action that cannot be undone asks for the key again. */
async function signInAgain(apiKey: string, userId: string): Promise<void> {
  const session = await signIn<AccountSession>('/app', { api_key: apiKey })
  if (session.user_id !== userId) {
    const detail = 'This key belongs to another account, and you are now signed in to that one.'
    throw new PanjiApiError(403, { error_code: 'CSRF_TOKEN_MISSING', detail })
  }
  queries.setQueryData(sessionKey, session)
}

function Receipt({ of }: { readonly of: components['schemas']['ErasureReceipt'] }) {
  const { receipt_id, erased, kept } = of
  return (
    <div role="status">
      <p>
        The account is erased. Receipt <code>{receipt_id}</code>.
      </p>
      <Facts of={Object.entries(erased).map(([kind, number]) => [kind.replaceAll('_', ' '), count(number)] as const)} />
      <p>
        The ledger keeps {counted(kept.orders, 'order')} and {counted(kept.ledger_entries, 'entry', 'entries')}, with{' '}
        {counted(kept.invoices, 'invoice or credit note', 'invoices and credit notes')}. {kept.reason}
      </p>
    </div>
  )
}
