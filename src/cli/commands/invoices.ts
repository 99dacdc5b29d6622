/** `panji invoices`: the invoices of all accounts, each as issued. */
import { writeFile } from 'node:fs/promises'
import { type Command, Option } from 'commander'
import exportInvoices from '../../api/operations/invoices/export.ts'
import findInvoices from '../../api/operations/invoices/find.ts'
import findInvoicePdf from '../../api/operations/invoices/find-pdf.ts'
import getInvoice from '../../api/operations/invoices/get.ts'
import { AppError } from '../../errors.ts'
import { rupees } from '../../orders/rupees-csv.ts'
import { fileReason } from '../faults/system-fault.ts'
import { withOperations } from '../instance/with-operations.ts'
import { fields, printedCsv, table } from '../output.ts'
import type { CommandContext } from '../settings.ts'
import { noteOthers, shownMax } from '../short-list.ts'
import { type Declare, prints } from './command.ts'
import { monthArgument } from './month-argument.ts'

interface Filter {
  readonly month?: string | undefined
  readonly kind?: 'invoice' | 'credit_note' | undefined
  readonly search?: string | undefined
}

const shape = '{number, kind, date, user_id, buyer, gstin, place_of_supply, net, cgst, sgst, igst, total, against, …}'

export const declareInvoices: Declare = (program, run) => {
  const invoices = program.command('invoices').description('invoices and credit notes of all accounts, as issued')

  filtered(invoices.command('list'))
    .description(`list them, newest first, at most ${shownMax}`)
    .addHelpText('after', prints(`[${shape}], in paise`))
    .action((filter: Filter) => run((context) => list(context, filterOf(filter))))

  invoices
    .command('show')
    .description('show one with its lines, in rupees, or write its PDF as issued')
    .addHelpText('after', prints(`${shape}, in paise`))
    .argument('<number>', 'such as PI-2627-0000001')
    .option('--pdf <file>', 'new file to write the PDF to')
    .action((number: string, { pdf }: { pdf?: string }) => run((context) => show(context, number, pdf)))

  filtered(invoices.command('export'))
    .description('print all of them as CSV, in rupees, ordered by number')
    .addHelpText('after', prints(`[${shape}], in paise`))
    .action((filter: Filter) => run((context) => exportAll(context, filterOf(filter))))
}

const filtered = (command: Command) =>
  command
    .option('--month <YYYY-MM>', 'issued in this month in India', monthArgument)
    .addOption(new Option('--kind <kind>', 'only these').choices(['invoice', 'credit_note']))
    .option('--search <text>', 'a number, a GSTIN, part of the buyer’s name, or the ID or e-mail of an account')

/** Drops the options that every command has. */
const filterOf = ({ month, kind, search }: Filter): Filter => ({ month, kind, search })

async function list(context: CommandContext, filter: Filter): Promise<void> {
  await withOperations(context, 'invoices list', async ({ call }) => {
    const { data, total } = await call(findInvoices, { query: { ...filter, limit: shownMax } })
    context.out.answer(data, (rows) =>
      table(
        ['number', 'kind', 'date', 'account', 'buyer', 'GSTIN', 'state', 'rupees', 'against'],
        rows.map(({ number, kind, date, user_id: account, buyer, gstin, place_of_supply: state, total, against }) => [
          ...[number, kind, date, account, buyer.name, gstin, state, rupees(total), against],
        ]),
      ),
    )
    noteOthers(context, data.length, total, 'panji invoices export prints all of them')
  })
}

async function show(context: CommandContext, number: string, file: string | undefined): Promise<void> {
  await withOperations(context, 'invoices show', async ({ call }) => {
    const invoice = await call(getInvoice, { params: { number } })
    if (file !== undefined) await writeNew(file, await call(findInvoicePdf, { params: { number } }))
    context.out.answer(invoice, ({ lines, net, cgst, sgst, igst, total, ...rest }) =>
      fields({
        ...rest,
        lines: lines.map((line) => ({ ...line, net: rupees(line.net) })),
        ...{ net: rupees(net), cgst: rupees(cgst), sgst: rupees(sgst), igst: rupees(igst), total: rupees(total) },
      }),
    )
    if (file !== undefined) context.out.note(`Wrote the PDF to ${file}.`)
  })
}

async function exportAll(context: CommandContext, filter: Filter): Promise<void> {
  await withOperations(context, 'invoices export', async ({ call }) => {
    const format = context.out.json ? 'json' : 'csv'
    const file = await call(exportInvoices, { query: { ...filter, format } })
    context.out.answer(file, (csv) => (typeof csv === 'string' ? printedCsv(csv) : ''))
  })
}

/** @throws AppError CONFLICT for a file that exists, BAD_REQUEST for one that cannot be written. */
async function writeNew(file: string, bytes: Buffer): Promise<void> {
  try {
    await writeFile(file, bytes, { flag: 'wx', mode: 0o600 })
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException
    if (code === 'EEXIST') throw new AppError('CONFLICT', `The file ${file} already exists. Name a new one.`, { cause })
    throw new AppError(
      'CONFIG_INVALID',
      `The file ${file} cannot be written: ${fileReason(cause)}. Name another one.`,
      {
        cause,
      },
    )
  }
}
