/** Invoices and credit notes for payments in money, each as a PDF. */
import { Link } from 'wouter'
import { usePage, useSort } from '../../look/address-state.ts'
import { Badge } from '../../look/badge.tsx'
import { Download, fileOf } from '../../look/download.tsx'
import { ListTable } from '../../look/list-table.tsx'
import { paise } from '../../look/numbers.ts'
import { Page } from '../../look/page.tsx'
import { api, type SortOf } from '../../wire/api.ts'
import { useReadPage } from '../../wire/use-read.ts'
import { ForPermitted } from '../for-permitted.tsx'

const limit = 25

export default function Invoices() {
  const [page] = usePage()
  const sort = useSort<SortOf<'listInvoices'>>()
  const invoices = useReadPage(['invoices', page, sort], () =>
    api.GET('/api/invoices', { params: { query: { page, limit, ...sort } } }),
  )
  return (
    <Page title="Invoices" lead="For everything you paid in money, with a credit note for each refund.">
      <ListTable
        of={invoices}
        what="your invoices"
        pages={{ limit, one: 'document' }}
        caption="Invoices and credit notes"
        keyOf={({ number }) => number}
        empty={
          <p>
            Nothing was paid in money yet.{' '}
            <ForPermitted needs="order" asAdmin>
              <Link href="/credits">Buy a pack of credits</Link>, or a <Link href="/plans">plan</Link>.
            </ForPermitted>
          </p>
        }
        columns={[
          { head: 'Number', sortedAs: 'number', cell: ({ number }) => <code>{number}</code> },
          {
            head: 'Kind',
            cell: ({ kind, against }) => (
              <>
                <Badge tone={kind === 'invoice' ? 'plain' : 'good'}>
                  {kind === 'invoice' ? 'invoice' : 'credit note'}
                </Badge>
                {against && ` for ${against}`}
              </>
            ),
          },
          { head: 'Issued', sortedAs: 'issued_at', at: ({ issued_at }) => issued_at },
          { head: 'For', cell: ({ description }) => description },
          { head: 'Without tax', sortedAs: 'net', cell: ({ net }) => paise(net), number: true },
          { head: 'GST', cell: (invoice) => taxOf(invoice), number: true },
          { head: 'Total', sortedAs: 'total', cell: (invoice) => paise(invoice.total), number: true },
          {
            head: 'File',
            cell: ({ number }) => (
              <Download
                label="PDF"
                name={`${number}.pdf`}
                fetch={async () => {
                  const params = { path: { number } }
                  return fileOf(await api.GET('/api/invoices/{number}/pdf', { params, parseAs: 'blob' }))
                }}
              />
            ),
          },
        ]}
      />
    </Page>
  )
}

interface Taxed {
  readonly cgst: number
  readonly sgst: number
  readonly igst: number
}

/** Integrated tax between states, otherwise central and state tax; on a few paise there may be none. */
const taxOf = ({ cgst, sgst, igst }: Taxed): string =>
  cgst + sgst + igst === 0 ? paise(0) : igst === 0 ? `${paise(cgst)} CGST, ${paise(sgst)} SGST` : `${paise(igst)} IGST`
