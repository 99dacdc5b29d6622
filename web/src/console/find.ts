/**
 * What an operator can jump to by id or name: accounts, orders, invoices, runs, sources, deliveries of a record,
 * payments.
 */
import type { Thing } from '../look/palette.tsx'
import { api, dataOf } from '../wire/api.ts'
import type { OperatorSession } from '../wire/session.ts'
import { readRuns } from './runs/run-reads.ts'

const limit = 5
const asParameter = encodeURIComponent

/** Accountants find only documents and payments: the server refuses the rest. */
export async function find(typed: string, role: OperatorSession['role']): Promise<readonly Thing[]> {
  const ofMoney = [...(await invoices(typed)), ...payments(typed)]
  if (role === 'accountant') return ofMoney
  const found = await Promise.all([runs(typed), sources(typed), accounts(typed), orders(typed)])
  return [...found.flat(), ...(ofMoney.length > 0 ? ofMoney : deliveries(typed)), ...recordsCalled(typed)]
}

/** Run ids are sequential, so every id up to the newest exists. */
async function runs(typed: string): Promise<readonly Thing[]> {
  const [, number] = /^(?:run\s*)?#?(\d{1,9})$/i.exec(typed) ?? []
  if (number === undefined) return []
  const { data } = await readRuns({ limit: 1 })
  const id = Number(number)
  const exists = id >= 1 && data.some(({ run_id }) => id <= Number(run_id))
  return exists ? [{ href: `/runs/${id}`, label: `Import ${id}`, kind: 'run' }] : []
}

async function sources(typed: string): Promise<readonly Thing[]> {
  const { sources: known } = dataOf(await api.GET('/admin/overview'))
  return known
    .filter(({ source }) => source.includes(typed.toLowerCase()))
    .slice(0, limit)
    .map(({ source }) => ({ href: `/sources/${source}`, label: source, kind: 'source' }))
}

async function accounts(search: string): Promise<readonly Thing[]> {
  const { data } = dataOf(await api.GET('/admin/users', { params: { query: { search, limit } } }))
  return data.map(({ user_id, email, username }) => ({
    ...{ href: `/accounts/${user_id}`, kind: 'account' },
    label: username === '' ? email : `${email}, ${username}`,
  }))
}

async function orders(search: string): Promise<readonly Thing[]> {
  const { data } = dataOf(await api.GET('/admin/orders', { params: { query: { search, limit } } }))
  return data.map(({ _id, orderName, email }) => ({
    ...{ href: `/orders/${_id}`, kind: 'order' },
    label: `${orderName}, ${email}`,
  }))
}

/** The document with this number, and the credit notes against it. */
async function invoices(typed: string): Promise<readonly Thing[]> {
  if (!/^P[IC]-\d{4}-\d{7}$/i.test(typed)) return []
  const { data } = dataOf(await api.GET('/admin/invoices', { params: { query: { search: typed, limit } } }))
  return data.map(({ number, kind }) => ({
    ...{ href: `/invoices/${number}`, label: number },
    kind: kind === 'invoice' ? 'invoice' : 'credit note',
  }))
}

function payments(typed: string): readonly Thing[] {
  if (!/^(pay|order)_\w+$/.test(typed)) return []
  return [{ href: `/payments?search=${asParameter(typed)}`, label: typed, kind: 'payments' }]
}

function deliveries(typed: string): readonly Thing[] {
  if (!/^(?=.*\d)[A-Za-z0-9-]{6,21}$/.test(typed)) return []
  return [{ href: `/deliveries?record=${asParameter(typed)}`, label: typed, kind: 'its deliveries' }]
}

/** A search by name may be slow, so it is offered as a link. */
function recordsCalled(typed: string): readonly Thing[] {
  if (!/[a-z]{3}/i.test(typed)) return []
  return [{ href: `/records?name=${asParameter(typed)}`, label: `Records called “${typed}”`, kind: 'a search' }]
}
