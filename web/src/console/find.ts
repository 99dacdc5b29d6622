/** What an operator goes to by its id or name: accounts, orders, runs, sources, deliveries of a record, payments. */
import type { Thing } from '../look/palette.tsx'
import { api, dataOf } from '../wire/api.ts'
import { readRuns } from './runs/run-reads.ts'

const limit = 5
const asParameter = encodeURIComponent

export async function find(typed: string): Promise<readonly Thing[]> {
  const found = await Promise.all([runs(typed), sources(typed), accounts(typed), orders(typed)])
  return [...found.flat(), ...byIdentifier(typed)]
}

/** Runs are numbered as they come, so those up to the newest exist. */
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

function byIdentifier(typed: string): readonly Thing[] {
  if (/^(pay|order)_\w+$/.test(typed)) {
    return [{ href: `/payments?search=${asParameter(typed)}`, label: typed, kind: 'payments' }]
  }
  if (/^(?=.*\d)[A-Za-z0-9-]{6,21}$/.test(typed)) {
    return [{ href: `/deliveries?record=${asParameter(typed)}`, label: typed, kind: 'its deliveries' }]
  }
  return []
}
