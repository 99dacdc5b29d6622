/** One month for the accountant: totals, revenue, trial balance, and files. */
import { Link } from 'wouter'
import { useAddressState } from '../look/address-state.ts'
import { Choice } from '../look/choice.tsx'
import { DataTable } from '../look/data-table.tsx'
import { dayInWords, monthInWords } from '../look/days.ts'
import { Download, fileOf } from '../look/download.tsx'
import { Instant } from '../look/moment.tsx'
import { count, counted, paise } from '../look/numbers.ts'
import { Page } from '../look/page.tsx'
import { Reading } from '../look/reading.tsx'
import { api } from '../wire/api.ts'
import { useReadPage } from '../wire/use-read.ts'
import { latestMonths, monthOption } from './latest-months.ts'
import { OperatorAct } from './operator-act.tsx'

const parts = [
  ['trial_balance', 'Trial balance'],
  ['revenue', 'Revenue'],
  ['sums', 'Sums'],
  ['documents', 'Documents'],
  ['journal', 'Journal'],
] as const
const sums = [
  { name: 'sold', label: 'Sold, without tax' },
  { name: 'sold_tax', label: 'GST on what was sold' },
  { name: 'revenue', label: 'Revenue' },
  { name: 'breakage', label: 'Breakage' },
  { name: 'deferred', label: 'Deferred revenue' },
  { name: 'fees', label: 'Fees of the processor' },
  { name: 'fee_taxes', label: 'GST on fees' },
  { name: 'refunds', label: 'Refunds, without tax' },
  { name: 'refunds_tax', label: 'GST on refunds' },
  { name: 'chargebacks', label: 'Chargebacks, without tax' },
  { name: 'chargebacks_tax', label: 'GST on chargebacks' },
  { name: 'receivables', label: 'Receivables' },
  { name: 'collected', label: 'Collected' },
  { name: 'written_off', label: 'Written off' },
] as const
export default function Month() {
  const months = latestMonths()
  const [month, setMonth] = useAddressState('month', months[0])
  const report = useReadPage(['month', month], () =>
    api.GET('/admin/ledger/months/{month}', { params: { path: { month } } }),
  )
  return (
    <Page title="Month" lead="What an accountant in India needs for a month, as totals and as files.">
      <div className="filters">
        <Choice label="Month" value={month} options={months.map(monthOption)} set={setMonth} />
      </div>
      <div className="acts">
        {parts.map(([part, label]) => (
          <Download
            key={part}
            label={`${label} as CSV`}
            fetch={async () =>
              fileOf(
                await api.GET('/admin/ledger/months/{month}/export', {
                  params: { path: { month }, query: { part } },
                  parseAs: 'blob',
                }),
              )
            }
            name={`${month}-${part}.csv`}
          />
        ))}
      </div>
      <Reading of={report} what="the month">
        {({ revenue_by_product, trial_balance, is_over, closed_at, last_day, ...amounts }) => (
          <>
            {!is_over && <p className="faint">This month is not over: more may be added to it.</p>}
            {closed_at !== null && (
              <p>
                Closed since <Instant at={closed_at} />: nothing more is booked in it.
              </p>
            )}
            {is_over && closed_at === null && <Close month={month} amounts={amounts} balance={trial_balance} />}
            <DataTable
              caption="Sums"
              rows={sums}
              keyOf={({ name }) => name}
              empty={<p>Nothing was booked in this month.</p>}
              columns={[
                { head: 'Sum', by: ({ label }) => label },
                { head: 'Rupees', by: ({ name }) => amounts[name], number: paise },
              ]}
            />
            <p>
              <Link href={`/invoices?month=${month}`}>The invoices and credit notes of this month</Link>
            </p>
            <h2>Revenue by product</h2>
            <DataTable
              caption="Revenue by product"
              rows={revenue_by_product}
              keyOf={({ product }) => product}
              empty={<p>Nothing was earned in this month.</p>}
              columns={[
                { head: 'Product', by: ({ product }) => product },
                { head: 'Earned', by: ({ earned }) => earned, number: paise },
                { head: 'Breakage', by: ({ breakage }) => breakage, number: paise },
              ]}
            />
            <h2>Trial balance of {dayInWords(last_day)}</h2>
            <DataTable
              caption="Trial balance"
              rows={trial_balance}
              keyOf={({ account, currency }) => `${account} ${currency}`}
              empty={<p>The ledger is empty.</p>}
              columns={[
                {
                  head: 'Account',
                  by: ({ account }) => account,
                  cell: ({ account, currency }) => `${capital(account.replaceAll('_', ' '))}, in ${unitOf[currency]}`,
                },
                {
                  head: 'Debit',
                  by: ({ debit }) => debit,
                  cell: ({ debit, currency }) => inCurrency(debit, currency),
                  number: true,
                },
                {
                  head: 'Credit',
                  by: ({ credit }) => credit,
                  cell: ({ credit, currency }) => inCurrency(credit, currency),
                  number: true,
                },
              ]}
            />
            <Together of={trial_balance} />
          </>
        )}
      </Reading>
    </Page>
  )
}

/** @param props.amounts the totals that are confirmed by closing the month. */
function Close(props: {
  readonly month: string
  readonly amounts: Readonly<Record<(typeof sums)[number]['name'], number>>
  readonly balance: readonly Balance[]
}) {
  const { month, amounts, balance } = props
  const { sold, sold_tax, refunds, refunds_tax, chargebacks, chargebacks_tax } = amounts
  return (
    <OperatorAct
      label="Close the month"
      title={`Close ${monthInWords(month)} for good`}
      says={() => `${monthInWords(month)} is closed.`}
      tone="danger"
      fields={[{ name: 'reason', label: 'Reason' }]}
      calls={({ reason = '' }) =>
        api.POST('/admin/ledger/months/{month}/close', { params: { path: { month } }, body: { reason } })
      }
    >
      <p>
        Sold for {paise(sold)} and {paise(sold_tax)} GST. Refunds of {paise(refunds + refunds_tax)} and chargebacks of{' '}
        {paise(chargebacks + chargebacks_tax)}, with GST.
      </p>
      <Together of={balance} />
      <p>Later entries are booked in the month that is open then. A closed month cannot be reopened.</p>
    </OperatorAct>
  )
}

/** Amounts in paise are shown in rupees. */
const unitOf = { credits: 'credits', paise: 'rupees' } as const

type Balance = Readonly<Record<'debit' | 'credit', number>> & { readonly currency: keyof typeof unitOf }

/** The totals, for the accountant's first check. */
function Together({ of: rows }: { readonly of: readonly Balance[] }) {
  const sumOf = (side: 'debit' | 'credit', currency: Balance['currency']) =>
    rows.reduce((sum, row) => (row.currency === currency ? sum + row[side] : sum), 0)
  const sides = (currency: Balance['currency']) => [sumOf('debit', currency), sumOf('credit', currency)] as const
  const [[debit, credit], [debitCredits, creditCredits]] = [sides('paise'), sides('credits')]
  return (
    <p>
      Total: {paise(debit)} debit and {paise(credit)} credit; {count(debitCredits)} and{' '}
      {counted(creditCredits, 'credit')}.
    </p>
  )
}

const capital = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1)

const inCurrency = (amount: number, currency: 'credits' | 'paise') =>
  amount === 0 ? '' : currency === 'paise' ? paise(amount) : count(amount)
