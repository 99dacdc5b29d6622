/** One invoice or credit note as issued: lines, totals, PDF, and the credit notes against it. */
import { Link, useParams } from 'wouter'
import { DataTable } from '../../look/data-table.tsx'
import { Download, fileOf } from '../../look/download.tsx'
import { Facts } from '../../look/facts.tsx'
import { Instant } from '../../look/moment.tsx'
import { count, paise } from '../../look/numbers.ts'
import { Page } from '../../look/page.tsx'
import { Reading } from '../../look/reading.tsx'
import { placeOfSupply } from '../../look/states.ts'
import { api } from '../../wire/api.ts'
import { useRead } from '../../wire/use-read.ts'
import { useMay } from '../operator.ts'
import { addressOf, InvoiceTable, type IssuedInvoice } from './invoice-table.tsx'

const titles = { invoice: 'Invoice', credit_note: 'Credit note' } as const
/** For one invoice: a refund is at least a rupee, and a payment has few of them. */
const notesMax = 100

export default function InvoicePage() {
  const { number = '' } = useParams()
  const invoice = useRead(['invoices', 'one', number], () =>
    api.GET('/admin/invoices/{number}', { params: { path: { number } } }),
  )
  return (
    <Page
      title={`${invoice.data ? titles[invoice.data.kind] : 'Document'} ${number}`}
      acts={invoice.data && <Pdf number={number} />}
    >
      <Reading of={invoice} what="the document">
        {(data) => (
          <>
            <IssuedFacts of={data} />
            <h2>Lines</h2>
            <DataTable
              caption="Lines"
              rows={data.lines.map((line, at) => ({ ...line, at }))}
              keyOf={({ at }) => String(at)}
              empty={<p>{data.description}</p>}
              columns={[
                { head: 'Description', by: ({ description }) => description },
                { head: 'Quantity', by: ({ quantity }) => quantity, number: count },
                { head: 'Taxable', by: ({ net }) => net, number: paise },
              ]}
            />
            {data.kind === 'invoice' && <Notes against={data.number} />}
          </>
        )}
      </Reading>
    </Page>
  )
}

function IssuedFacts({ of: data }: { readonly of: IssuedInvoice }) {
  const taxes = [
    ['CGST', data.cgst],
    ['SGST', data.sgst],
    ['IGST', data.igst],
  ] as const
  return (
    <Facts
      of={[
        ['Issued', <Instant key="issued" at={data.issued_at} />],
        [
          'Against',
          data.against && (
            <>
              <Link href={addressOf(data.against)}>{data.against}</Link> of <Instant at={data.against_issued_at} />
            </>
          ),
        ],
        ['Buyer', data.buyer.name],
        ['Address', data.buyer.address],
        ['GSTIN', data.gstin && <code>{data.gstin}</code>],
        ['Place of supply', placeOfSupply(data.place_of_supply)],
        ['Account', <AccountLink key="account" id={data.user_id} />],
        ['Accounting code', data.sac],
        ['Taxable', paise(data.net)],
        ...taxes.filter(([, sum]) => sum !== 0).map(([name, sum]) => [name, paise(sum)] as const),
        ['Rate', `${data.rate} %`],
        ['Total', paise(data.total)],
      ]}
    />
  )
}

/** A link to its page, if the role may read it. */
function AccountLink({ id }: { readonly id: string }) {
  return useMay('viewer') ? <Link href={`/accounts/${id}`}>Its page</Link> : <code>{id}</code>
}

function Notes({ against }: { readonly against: string }) {
  const query = { search: against, kind: 'credit_note', limit: notesMax } as const
  const notes = useRead(['invoices', 'against', against], () => api.GET('/admin/invoices', { params: { query } }))
  return (
    <>
      <h2>Credit notes against it</h2>
      <Reading of={notes} what="its credit notes">
        {({ data }) => <InvoiceTable caption="Credit notes" rows={data} none="Nothing of it was refunded." />}
      </Reading>
    </>
  )
}

function Pdf({ number }: { readonly number: string }) {
  return (
    <Download
      label="PDF"
      name={`${number}.pdf`}
      fetch={async () => {
        const params = { path: { number } }
        return fileOf(await api.GET('/admin/invoices/{number}/pdf', { params, parseAs: 'blob' }))
      }}
    />
  )
}
