/**
 * The end of the account, at once and for good. The server wants a login of the last minutes and the e-mail as a
 * confirmation, so both are asked for here; what is gone and what the ledger keeps is said before the account ends.
 */
import { useContext } from 'react'
import type { components } from '../../../../client/api-types.ts'
import { Facts } from '../../look/facts.tsx'
import type { FieldShape } from '../../look/field-shape.ts'
import { count } from '../../look/numbers.ts'
import { api, dataOf, PanjiApiError } from '../../wire/api.ts'
import { queries, sessionKey } from '../../wire/queries.ts'
import { type AccountSession, signIn } from '../../wire/session.ts'
import { Account, useMay } from '../account.ts'
import { AccountAct } from '../account-act.tsx'

const fields: readonly FieldShape[] = [
  { name: 'confirm', label: 'E-mail of the account', kind: 'email', hint: 'Typed out, as a confirmation.' },
]
const fieldsOfKey: readonly FieldShape[] = [
  ...fields,
  { name: 'api_key', label: 'API key', kind: 'password', hint: 'One that has every scope: it signs in anew for this.' },
]

export function Erasure() {
  const [may, alsoMay] = [useMay('order', true), useMay('deliver', true)]
  const { user_id, person } = useContext(Account)
  if (!may || !alsoMay) return null
  return (
    <section>
      <h2>Erase the account</h2>
      <p>Everything of it goes, at once and for good.</p>
      <AccountAct
        needs="read"
        asAdmin
        label="Erase the account"
        title="Erase the account for good?"
        tone="danger"
        fields={person ? fields : fieldsOfKey}
        run={async ({ confirm = '', api_key = '' }) => {
          if (person === null) await signInAgain(api_key, user_id)
          return dataOf(await api.DELETE('/api/users/me/account', { body: { confirm } }))
        }}
        shows={(receipt) => <Receipt of={receipt} />}
      >
        <p>
          Keys, sessions, screeners, watchlists, CRMs, leads and remaining credits are lost, and nobody can bring them
          back. {person && 'You must have signed in within the last five minutes. '}What was delivered into your CRM
          stays there. Save your orders and invoices first.
        </p>
      </AccountAct>
    </section>
  )
}

/** An act without an undo asks for the key anew. */
async function signInAgain(apiKey: string, userId: string): Promise<void> {
  const session = await signIn<AccountSession>('/app', { api_key: apiKey })
  queries.setQueryData(sessionKey, session)
  if (session.user_id !== userId) {
    throw new PanjiApiError(409, { detail: 'This key is another account’s, and has signed that one in.' })
  }
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
        The ledger keeps {count(kept.orders)} orders and {count(kept.ledger_entries)} entries. {kept.reason}
      </p>
    </div>
  )
}
