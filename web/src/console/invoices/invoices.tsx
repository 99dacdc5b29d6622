/**
 * Invoices and credit notes of all accounts, newest first, filtered by month, kind, number, buyer or account, and as a
 * CSV.
 */
import { useAddressState, usePage, useSort } from '../../look/address-state.ts'
import { Choice } from '../../look/choice.tsx'
import { Download, fileOf } from '../../look/download.tsx'
import { Page } from '../../look/page.tsx'
import { Pager } from '../../look/pager.tsx'
import { Reading } from '../../look/reading.tsx'
import { SearchBox } from '../../look/search-box.tsx'
import { api, type SortOf } from '../../wire/api.ts'
import { useReadPage } from '../../wire/use-read.ts'
import { latestMonths, monthOption } from '../latest-months.ts'
import { InvoiceTable } from './invoice-table.tsx'

const limit = 50
const kinds = ['invoice', 'credit_note'] as const

export default function Invoices() {
  const [month, setMonth] = useAddressState('month')
  const [kind, setKind] = useAddressState('kind')
  const [search, setSearch] = useAddressState('search')
  const [page] = usePage()
  const sort = useSort<SortOf<'findInvoices'>>()
  const known = kinds.find((each) => each === kind)
  const filter = { ...(month && { month }), ...(known && { kind: known }), ...(search && { search }) }
  const invoices = useReadPage(['invoices', month, kind, search, page, sort], () =>
    api.GET('/admin/invoices', { params: { query: { ...filter, page, limit, ...sort } } }),
  )
  return (
    <Page
      title="Invoices"
      lead="The invoices and credit notes of all accounts, each as it was issued."
      acts={
        <Download
          label="Download CSV"
          name={`invoices${month && `-${month}`}.csv`}
          fetch={async () =>
            fileOf(await api.GET('/admin/invoices/export', { params: { query: filter }, parseAs: 'blob' }))
          }
        />
      }
    >
      <SearchBox label="Number, GSTIN, name of the buyer, or e-mail of the account" value={search} set={setSearch} />
      <div className="filters">
        <Choice label="Month" value={month} options={['', ...latestMonths().map(monthOption)]} set={setMonth} />
        <Choice label="Kind" value={kind} options={['', ...kinds]} set={setKind} />
      </div>
      <Reading of={invoices} what="the invoices">
        {({ data, total }) => (
          <>
            <InvoiceTable
              isPart
              caption="Invoices and credit notes"
              rows={data}
              none={
                month || kind || search
                  ? 'No invoice or credit note matches these filters.'
                  : 'No invoices yet: the first one is issued with the first payment in money.'
              }
            />
            <Pager total={total} limit={limit} one="document" />
          </>
        )}
      </Reading>
    </Page>
  )
}
