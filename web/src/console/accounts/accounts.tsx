/** Accounts, newest first, searchable by e-mail, name, key prefix or id. */

import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import { useAddressState, usePage, useSort } from '../../look/address-state.ts'
import { Badge } from '../../look/badge.tsx'
import { Choice } from '../../look/choice.tsx'
import { ListTable } from '../../look/list-table.tsx'
import { Page } from '../../look/page.tsx'
import { SearchBox } from '../../look/search-box.tsx'
import { SecretOnce } from '../../look/secret-once.tsx'
import { api, dataOf, type SortOf } from '../../wire/api.ts'
import { ForOperators } from '../for-operators.tsx'
import { OperatorAct } from '../operator-act.tsx'

const limit = 25
const plans = ['free', 'premium'] as const

export default function Accounts() {
  const [search, setSearch] = useAddressState('search')
  const [suspended, setSuspended] = useAddressState('suspended')
  const sort = useSort<SortOf<'listAccounts'>>()
  const [page] = usePage()
  const accounts = useQuery({
    queryKey: ['accounts', search, suspended, sort, page],
    queryFn: async () => {
      const closed = suspended === 'suspended' ? 'true' : 'false'
      const query = {
        ...{ page, limit, ...(search && { search }), ...(suspended && ({ suspended: closed } as const)), ...sort },
      }
      return dataOf(await api.GET('/admin/users', { params: { query } }))
    },
    placeholderData: keepPreviousData,
  })
  return (
    <Page title="Accounts" lead="Who buys, and what each may read." acts={<MakeAccount />}>
      <SearchBox label="E-mail, name, key prefix or id" value={search} set={setSearch} />
      <div className="filters">
        <Choice label="State" value={suspended} options={['', 'open', 'suspended']} set={setSuspended} />
      </div>
      <ListTable
        of={accounts}
        what="the accounts"
        pages={{ limit, one: 'account' }}
        caption="Accounts"
        keyOf={({ user_id }) => user_id}
        empty={
          <p>
            No account matches these filters.{' '}
            <ForOperators>Press “Make an account” to make one with its key.</ForOperators>
          </p>
        }
        columns={[
          {
            head: 'E-mail',
            sortedAs: 'email',
            cell: ({ user_id, email }) => <Link href={`/accounts/${user_id}`}>{email}</Link>,
          },
          { head: 'Name', sortedAs: 'username', cell: ({ username }) => username },
          { head: 'Plan', cell: ({ plan, is_enterprise }) => (is_enterprise ? `${plan}, enterprise` : plan) },
          {
            head: 'State',
            cell: (account) => (
              <Badge tone={account.suspended ? 'bad' : 'good'}>{account.suspended ? 'suspended' : 'open'}</Badge>
            ),
          },
          { head: 'Since', sortedAs: 'created_at', at: ({ created_at }) => created_at },
        ]}
      />
    </Page>
  )
}

function MakeAccount() {
  return (
    <OperatorAct
      label="Make an account"
      title="Make an account"
      tone="main"
      fields={[
        { name: 'email', label: 'E-mail', kind: 'email' },
        { name: 'username', label: 'Name', optional: true },
        { name: 'plan', label: 'Plan', options: plans, initial: 'free' },
      ]}
      calls={({ email = '', username, plan }) => {
        const body = { email, ...(username && { username }), plan: plans.find((each) => each === plan) ?? 'free' }
        return api.POST('/admin/users', { body })
      }}
      shows={({ user_id, api_key }) => (
        <>
          <SecretOnce secret={api_key} what="the first API key of the account" />
          <p>
            It has no access yet. <Link href={`/accounts/${user_id}`}>Give it credits and what it may read</Link>
          </p>
        </>
      )}
    />
  )
}
