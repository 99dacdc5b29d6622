/** The ledger: whether it verifies, its balances, and the transfers. */

import { Link } from 'wouter'
import type { components } from '../../../client/api-types.ts'
import { useAddressState, useGrowing, usePage } from '../look/address-state.ts'
import { Badge } from '../look/badge.tsx'
import { Command } from '../look/command.tsx'
import { DataTable } from '../look/data-table.tsx'
import { Moment } from '../look/moment.tsx'
import { count, counted, money } from '../look/numbers.ts'
import { Page } from '../look/page.tsx'
import { Pager } from '../look/pager.tsx'
import { Reading } from '../look/reading.tsx'
import { SearchBox } from '../look/search-box.tsx'
import { api, type SortOf } from '../wire/api.ts'
import { useReadPage } from '../wire/use-read.ts'
import { useMay } from './operator.ts'

const limit = 25
const inCurrency = (amount: number, currency: 'credits' | 'paise') =>
  currency === 'paise' ? money(amount / 100) : counted(amount, 'credit')

export default function Ledger() {
  const [search, setSearch] = useAddressState('search')
  const [account] = useAddressState('account')
  const [page] = usePage()
  const sort = useGrowing<SortOf<'listLedger'>>()
  /** One account has few enough transfers to sort them by any column. */
  const ofOne = (sortedAs: string) => (account === '' ? {} : { sortedAs })
  const query = { page, limit, ...sort, ...(search && { search }), ...(account && { user_id: account }) }
  const ledger = useReadPage(['ledger', search, account, page, sort], () =>
    api.GET('/admin/ledger', { params: { query } }),
  )
  return (
    <Page title="Ledger" lead="Every credit and every paisa, from one account of the ledger to another.">
      <SearchBox label="Whole reference, or id of an order, item or transfer" value={search} set={setSearch} />
      <Reading of={ledger} what="the ledger">
        {({ data, total, accounts, proof }) => (
          <>
            <Proof proof={proof} />
            <h2>Balances</h2>
            <DataTable
              caption="Balances"
              rows={accounts}
              keyOf={({ account: name, currency }) => `${name} ${currency}`}
              empty={<p>The ledger is empty.</p>}
              columns={[
                {
                  head: 'Ledger account',
                  by: ({ account: name }) => name,
                  cell: ({ account: name }) => name.replaceAll('_', ' '),
                },
                {
                  head: 'Balance',
                  by: ({ balance }) => balance,
                  cell: ({ balance, currency }) => inCurrency(balance, currency),
                  number: true,
                },
                { head: 'Customers', by: ({ customers }) => customers, number: count },
              ]}
            />
            <h2>Transfers</h2>
            <DataTable
              caption="Transfers"
              rows={data}
              keyOf={({ transfer_id }) => transfer_id}
              empty={<p>No transfer matches these filters. Credits are added on an account's own page.</p>}
              columns={[
                { head: 'At', sortedAs: 'at', at: ({ at }) => at },
                { head: 'Kind', ...ofOne('kind'), cell: ({ kind }) => kind.replaceAll('_', ' ') },
                {
                  head: 'Amount',
                  ...ofOne('amount'),
                  cell: ({ amount, currency }) => inCurrency(amount, currency),
                  number: true,
                },
                { head: 'From', cell: ({ from }) => from },
                { head: 'To', cell: ({ to }) => to },
                {
                  head: 'Customer',
                  cell: ({ user_id }) => <Customer id={user_id} />,
                },
                { head: 'By', cell: ({ actor }) => actor },
                { head: 'Reference', cell: ({ reference, memo }) => memo ?? reference },
              ]}
            />
            <Pager total={total} limit={limit} one="transfer" newest={data[0]?.at} />
          </>
        )}
      </Reading>
    </Page>
  )
}

/** A link to its page, if the role may read it. */
function Customer({ id }: { readonly id: string | null }) {
  const mayReadAccounts = useMay('viewer')
  if (id === null) return <>–</>
  const short = id.slice(0, 8)
  return mayReadAccounts ? <Link href={`/accounts/${id}`}>{short}</Link> : <code>{short}</code>
}

type ProofShape = components['schemas']['LedgerProof']

function Proof({ proof }: { readonly proof: ProofShape | null }) {
  if (!proof) return <p className="faint">Not verified yet; this happens every night.</p>
  return (
    <>
      <p>
        <Badge tone={proof.violations.length === 0 ? 'good' : 'bad'}>
          {proof.violations.length === 0 ? 'proved' : counted(proof.violations.length, 'violation')}
        </Badge>{' '}
        {counted(proof.transfers, 'transfer')}, <Moment at={proof.proved_at} />
      </p>
      {proof.violations.length > 0 && (
        <>
          <p>
            The entries named here do not add up; the check changed nothing. Once they are corrected, verify the ledger
            again:
          </p>
          <Command text="npx panji ledger check" />
        </>
      )}
      <ul>
        {proof.violations.map(({ invariant, subject, detail }) => (
          <li key={`${invariant} ${subject}`}>{`${invariant}: ${subject}, ${detail}`}</li>
        ))}
      </ul>
    </>
  )
}
