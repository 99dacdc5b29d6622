/**
 * The reads that are timed in the country and in a world of a million: the most frequent ones, each for another record
 * or word.
 */
import type { Db } from '../../src/db/db.ts'
import type { LoadRequest } from '../http-load.ts'
import { nameQueries } from '../name-queries.ts'

/** The n-th call of a kind. */
export type ReadKind = (n: number) => LoadRequest

const states = ['Maharashtra', 'Delhi', 'Karnataka', 'Kerala', 'Gujarat', 'Goa', 'Punjab', 'Bihar'] as const
const districts = ['Mumbai', 'Ernakulam', 'North Goa', 'Jaipur', 'Patna', 'Chennai'] as const
const pincodes = ['400001', '682001', '403001', '302001', '800001', '600001'] as const
const pick = (values: readonly string[], n: number): string => values[n % values.length] ?? ''

export async function readKinds(db: Db, calls: number): Promise<Readonly<Record<string, ReadKind>>> {
  const ids = {
    company: await drawn(db, 'registry.company', 'cin', calls),
    gst: await drawn(db, 'registry.gst_taxpayer', 'gstin', calls),
    director: await drawn(db, 'registry.director', 'din', calls),
  }
  const names = await nameQueries(db, calls)
  const feed = (path: string, narrowed: (n: number) => object = () => ({})): ReadKind => {
    return (n) => ({
      method: 'POST',
      path: `/api/recently-registered/${path}`,
      body: { page: 1, limit: 10, ...narrowed(n) },
    })
  }
  const screener = (type: string, query: (n: number) => string): ReadKind => {
    return (n) => ({ method: 'POST', path: '/api/screener/search', body: { type, query: query(n) } })
  }
  const get = (path: (n: number) => string): ReadKind => {
    return (n) => ({ method: 'GET', path: path(n) })
  }
  return {
    'feed of companies': feed('companies'),
    'feed of GST': feed('gst'),
    'feed of directors': feed('directors'),
    'feed of companies, a state': feed('companies', (n) => ({ state: pick(states, n) })),
    'feed of GST, a state': feed('gst', (n) => ({ state: pick(states, n) })),
    'feed of companies, a district': feed('companies', (n) => ({ district: pick(districts, n) })),
    'feed of companies, a pincode': feed('companies', (n) => ({ pincode: pick(pincodes, n) })),
    'details of a company': get((n) => `/api/company/details?cin=${pick(ids.company, n)}`),
    'details of a GSTIN': get((n) => `/api/gst/details?gstin=${pick(ids.gst, n)}`),
    'details of a director': get((n) => `/api/company/director-details?din=${pick(ids.director, n)}`),
    'search of companies by name': get(
      (n) => `/api/company/company-filter?company=${encodeURIComponent(names[n % names.length]?.text ?? '')}&limit=10`,
    ),
    // Each has a different bound, so that no total is cached.
    'screener: one day of a state': screener(
      'company',
      (n) => `dateOfIncorporation == '2026-0${1 + (n % 9)}-1${n % 10}' AND State == '${pick(states, n)}'`,
    ),
    'screener: capital of a state': screener(
      'company',
      (n) => `State == '${pick(states, n)}' AND paidUpCapital >= ${20_000_000 + n}`,
    ),
    'screener: GST of a good and a state': screener(
      'gst',
      (n) => `hsncd == '${pick(['7604', '8541', '2517', '4901'], n)}' AND state == '${pick(states, n)}'`,
    ),
    'screener: GST since a day': screener('gst', (n) => `DateOfRegistration >= '2026-10-${10 + (n % 20)}'`),
  }
}

/** Scattered over a register, the same on every run. */
async function drawn(db: Db, table: string, key: string, count: number): Promise<string[]> {
  const rows = await db.query<{ id: string }>(
    `SELECT ${key} AS id FROM (SELECT ${key} FROM ${table} TABLESAMPLE SYSTEM (5) REPEATABLE (1) LIMIT 20000) AS found
     ORDER BY hashtext(${key}) LIMIT $1`,
    [count],
  )
  return rows.map(({ id }) => id)
}
