/**
 * Invoices and credit notes of all accounts, for operators: each as it was issued, whatever happened to its account
 * since.
 */
import type { Queryable } from '../../db/db.ts'
import { sql } from '../../db/sql.ts'
import { isUuid } from '../../domain/uuid.ts'
import { AppError } from '../../errors.ts'
import type { Invoice } from './invoice.ts'
import { type InvoiceSort, invoiceColumns, invoiceSorts } from './read-invoices.ts'

export interface FoundInvoice extends Invoice {
  readonly accountId: string
}

export interface InvoiceFilter {
  /** YYYY-MM, in India. */
  readonly month?: string | undefined
  readonly kind?: Invoice['kind'] | undefined
  /** A document number, a GSTIN, part of the buyer's name, or the account's id or e-mail. */
  readonly search?: string | undefined
}

const columns = sql`account_id AS "accountId", ${invoiceColumns}`

const matching = `FROM orders.invoice
  WHERE ($1::text IS NULL OR issued_at >= runtime.indian_midnight(($1 || '-01')::date)
      AND issued_at < runtime.indian_midnight((($1 || '-01')::date + interval '1 month')::date))
    AND ($2::text IS NULL OR series = $2)
    AND ($3::text IS NULL OR number = upper($3) OR against = upper($3) OR gstin = upper($3) OR account_id = $4
      OR account_id IN (SELECT account_id FROM access.account WHERE lower(email) = lower($3))
      OR strpos(lower(buyer ->> 'name'), lower($3)) > 0)`

const series = { invoice: 'PI', credit_note: 'PC' } as const

const valuesOf = ({ month, kind, search }: InvoiceFilter): (string | null)[] => [
  ...[month ?? null, kind === undefined ? null : series[kind]],
  ...[search ?? null, search !== undefined && isUuid(search) ? search : null],
]

/** Newest first by default; `total` counts all pages. */
export async function findInvoices(
  db: Queryable,
  {
    page,
    limit,
    sort,
    ...filter
  }: InvoiceFilter & {
    readonly page: number
    readonly limit: number
    readonly sort?: InvoiceSort | undefined
  },
): Promise<{ invoices: FoundInvoice[]; total: number }> {
  const values = valuesOf(filter)
  const [counted] = await db.query<{ total: number }>(sql`SELECT count(*) AS total ${matching}`, values)
  const invoices = await db.query<FoundInvoice>(
    sql`SELECT ${columns} ${matching} ORDER BY ${invoiceSorts.orderBy(sort)} LIMIT $5 OFFSET $6`,
    [...values, limit, (page - 1) * limit],
  )
  return { invoices, total: counted?.total ?? 0 }
}

const pageRows = 1_000

/** All of them in order of their numbers, page by page. */
export async function* invoicePages(db: Queryable, filter: InvoiceFilter): AsyncGenerator<readonly FoundInvoice[]> {
  for (let after = ''; ; ) {
    const rows = await db.query<FoundInvoice>(
      sql`SELECT ${columns} ${matching} AND number > $5 ORDER BY number LIMIT $6`,
      [...valuesOf(filter), after, pageRows],
    )
    if (rows.length > 0) yield rows
    if (rows.length < pageRows) return
    after = rows.at(-1)?.number ?? after
  }
}

/** @throws AppError NOT_FOUND */
export async function findInvoice(db: Queryable, number: string): Promise<FoundInvoice> {
  const [invoice] = await db.query<FoundInvoice>(sql`SELECT ${columns} FROM orders.invoice WHERE number = $1`, [number])
  if (!invoice) throw noSuchInvoice()
  return invoice
}

/** The bytes as they were stored at issue. @throws AppError NOT_FOUND */
export async function findInvoicePdf(db: Queryable, number: string): Promise<Buffer> {
  const [invoice] = await db.query<{ pdf: Buffer }>('SELECT pdf FROM orders.invoice WHERE number = $1', [number])
  if (!invoice) throw noSuchInvoice()
  return invoice.pdf
}

const noSuchInvoice = () => new AppError('NOT_FOUND', 'There is no invoice or credit note of this number.')
