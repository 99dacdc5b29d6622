/**
 * What a person of an account can jump to by id or name: records, orders, watchlists, saved screeners, CRMs. Opening a
 * record and searching for a name count against the daily limits, so both are offered as links and not fetched while
 * typing.
 */
import type { Thing } from '../look/palette.tsx'
import { api, dataOf } from '../wire/api.ts'
import type { AccountSession } from '../wire/session.ts'

const limit = 5

export async function find(typed: string, { scopes }: Pick<AccountSession, 'scopes'>): Promise<readonly Thing[]> {
  const held = await Promise.all([
    orders(typed),
    watchlists(typed),
    screeners(typed),
    scopes.includes('deliver') ? destinations(typed) : [],
  ])
  return [...recordOf(typed), ...held.flat(), ...searchesFor(typed)]
}

const has = (typed: string) => (name: string) => name.toLowerCase().includes(typed.toLowerCase())

/** Chosen by the shape of the identifier; whether the record exists shows when it is opened. */
function recordOf(typed: string): readonly Thing[] {
  const id = typed.toUpperCase()
  if (/^\d{2}[A-Z]{5}\d{4}[A-Z][A-Z\d]Z[A-Z\d]$/.test(id)) return [record('gst', id, 'GST registration')]
  if (/^([LU]\d{5}[A-Z]{2}\d{4}[A-Z]{3}\d{6}|[A-Z]{3}-?\d{4}|F\d{5}|F[A-Z]{3}-?\d{4})$/.test(id)) {
    return [record('company', id, 'company')]
  }
  return /^\d{5,8}$/.test(id) ? [record('director', id.padStart(8, '0'), 'director')] : []
}

const record = (type: string, id: string, kind: string): Thing => ({ href: `/record/${type}/${id}`, label: id, kind })

async function orders(search: string): Promise<readonly Thing[]> {
  const { data } = dataOf(await api.GET('/api/orders', { params: { query: { search, limit } } }))
  return data.map(({ _id, orderName }) => ({ href: `/orders/${_id}`, label: orderName, kind: 'order' }))
}

async function watchlists(typed: string): Promise<readonly Thing[]> {
  const { data } = dataOf(await api.GET('/api/watchlist', { params: { query: { limit: 100 } } }))
  return data
    .filter(({ name }) => has(typed)(name))
    .map(({ id, name }) => ({ href: `/watchlists/${id}`, label: name, kind: 'watchlist' }))
}

async function screeners(typed: string): Promise<readonly Thing[]> {
  const { data } = dataOf(await api.GET('/api/screener/screeners'))
  return data
    .filter(({ name }) => has(typed)(name))
    .map(({ name, type, query }) => ({
      ...{ label: name, kind: 'saved screener' },
      href: `/search?${new URLSearchParams({ type, query })}`,
    }))
}

async function destinations(typed: string): Promise<readonly Thing[]> {
  const { data } = dataOf(await api.GET('/api/crm/destinations'))
  return data
    .filter(({ name }) => has(typed)(name))
    .map(({ destination_id, name }) => ({ href: `/destinations/${destination_id}`, label: name, kind: 'CRM' }))
}

function searchesFor(typed: string): readonly Thing[] {
  const quote = ["'", '"'].find((each) => !typed.includes(each))
  if (quote === undefined || !/[a-z]{2}/i.test(typed)) return []
  const search = (type: string, field: string) =>
    `/search?${new URLSearchParams({ type, query: `${field} CONTAINS ${quote}${typed}${quote}` })}`
  const ways = {
    Companies: search('company', 'companyName'),
    'GST registrations': search('gst', 'TradeName'),
    Directors: `/directors?${new URLSearchParams({ name: typed })}`,
  }
  return Object.entries(ways).map(([what, href]) => ({
    href,
    label: `${what} called “${typed}”`,
    kind: 'a search',
    isCounted: true,
  }))
}
