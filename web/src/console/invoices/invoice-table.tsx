/** A table of invoices and credit notes of all accounts; each number links to its document. */
import { Link } from 'wouter'
import type { components } from '../../../../client/api-types.ts'
import { Badge } from '../../look/badge.tsx'
import { DataTable } from '../../look/data-table.tsx'
import { Day } from '../../look/moment.tsx'
import { paise } from '../../look/numbers.ts'

export type IssuedInvoice = components['schemas']['IssuedInvoice']

export const kindNames = { invoice: 'invoice', credit_note: 'credit note' } as const

export const addressOf = (number: string): string => `/invoices/${encodeURIComponent(number)}`

export function InvoiceTable(props: {
  readonly caption: string
  readonly rows: readonly IssuedInvoice[]
  readonly none: string
  /** The rows are one page of a longer list. */
  readonly isPart?: boolean
}) {
  const sorts = (sortedAs: string, by: (row: IssuedInvoice) => string | number) =>
    props.isPart ? { sortedAs } : { by }
  return (
    <DataTable
      caption={props.caption}
      rows={props.rows}
      keyOf={({ number }) => number}
      empty={<p>{props.none}</p>}
      columns={[
        {
          head: 'Number',
          ...sorts('number', ({ number }) => number),
          cell: ({ number }) => <Link href={addressOf(number)}>{number}</Link>,
        },
        {
          head: 'Kind',
          cell: ({ kind, against }) => (
            <>
              <Badge tone={kind === 'invoice' ? 'plain' : 'warn'}>{kindNames[kind]}</Badge>
              {against && ` for ${against}`}
            </>
          ),
        },
        { head: 'Issued', ...sorts('issued_at', ({ date }) => date), cell: ({ date }) => <Day on={date} /> },
        { head: 'Buyer', cell: ({ buyer }) => buyer.name },
        { head: 'GSTIN', cell: ({ gstin }) => (gstin ? <code>{gstin}</code> : '–') },
        { head: 'Taxable', ...sorts('net', ({ net }) => net), cell: ({ net }) => paise(net), number: true },
        { head: 'GST', cell: ({ cgst, sgst, igst }) => paise(cgst + sgst + igst), number: true },
        { head: 'Total', ...sorts('total', ({ total }) => total), cell: ({ total }) => paise(total), number: true },
      ]}
    />
  )
}
