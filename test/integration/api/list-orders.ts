/** Lists that are read by page, with the orders that each can be asked for and what of a row each order goes by. */

export type Row = Readonly<Record<string, unknown>>

export interface SortedList {
  /** As the document has it; where it has parameters, `entry-rows.ts` knows a thing of theirs. */
  readonly path: string
  /** By which of its makers a row more is made. */
  readonly of: string
  /** Member by which a row is told from all others. */
  readonly key: string
  readonly sorts: Readonly<Record<string, (row: Row) => readonly unknown[]>>
  /** Leaves out what other tests, or their calls, have left. */
  readonly narrowed?: string
  /** How the next page is asked for. */
  readonly next?: 'page' | 'cursor'
  /** Where the rows stand, if not in `data` itself. */
  readonly within?: string
  /** Member that tells when a row was made, of a list that is read on as it was; and how one of now is made, where its maker takes a day. */
  readonly grows?: { readonly made: string; readonly table?: string; readonly id?: string; readonly of?: string }
}

const ordersGrow = { made: 'created_at', of: 'ordersOfNow' }

const text = (name: string) => (row: Row) => [String(row[name])]
const lower = (name: string) => (row: Row) => [String(row[name]).toLowerCase()]
const number = (name: string) => (row: Row) => [row[name] === null ? null : Number(row[name])]
const orderSorts = {
  ...{ name: lower('orderName'), status: text('status'), created_at: text('created_at') },
  items_count: number('items_count'),
  total_amount: (row: Row) => [String(row['paymentOption']), Number(row['total_amount'])],
}

/** Things that somebody made, each with a state of its own. */
export const listsOfThings: readonly SortedList[] = [
  { path: '/api/orders', of: 'orders', key: '_id', sorts: orderSorts, grows: ordersGrow },
  { path: '/admin/orders', of: 'orders', key: '_id', sorts: orderSorts, grows: ordersGrow },
  ...['/api/invoices', '/admin/invoices'].map((path) => ({
    ...{ path, of: 'invoices', key: 'number' },
    sorts: { number: text('number'), issued_at: text('issued_at'), net: number('net'), total: number('total') },
  })),
  {
    ...{ path: '/admin/payments', of: 'payments', key: 'event_id', grows: { made: 'received_at' } },
    sorts: { received_at: text('received_at'), outcome: text('outcome'), amount: number('amount') },
  },
  ...['/api/crm/deliveries', '/admin/deliveries'].map((path) => ({
    ...{ path, of: 'deliveries', key: 'delivery_id' },
    grows: { made: 'created_at', table: 'deliver.delivery', id: 'delivery_id' },
    sorts: { created_at: text('created_at'), at: text('at'), name: lower('name'), outcome: text('outcome') },
  })),
  {
    ...{ path: '/admin/ingest/runs', of: 'runs', key: 'run_id', grows: { made: 'created_at' } },
    sorts: { created_at: number('run_id'), source: text('source'), as_of: text('as_of'), status: text('status') },
  },
  ...['/api/standing-orders', '/admin/standing-orders'].map((path) => ({
    ...{ path, of: 'standing', key: 'standing_order_id' },
    sorts: { name: lower('name'), state: text('state'), state_at: text('state_at') },
  })),
  {
    ...{ path: '/api/watchlist', of: 'watchlists', key: 'id' },
    sorts: { name: lower('name'), type: text('type'), created_at: text('created_at') },
  },
  {
    ...{ path: '/admin/suppressions', of: 'suppressions', key: 'id' },
    sorts: { kind: text('kind'), created_at: text('created_at'), created_by: text('created_by') },
  },
]

/** What happened, entry by entry. */
export const listsOfEntries: readonly SortedList[] = [
  {
    ...{ path: '/api/audit', of: 'audit', key: 'subject', narrowed: 'kind=refusal', next: 'cursor' },
    sorts: { at: text('at') },
  },
  ...['action=sorted', 'action=sorted&from=2026-05-01', 'action=sorted&to=2026-05-01'].map((narrowed) => ({
    ...({ path: '/admin/audit', of: 'audit', key: 'id', narrowed, next: 'cursor' } as const),
    sorts: { at: text('at') },
  })),
  {
    ...{ path: '/admin/ledger', of: 'credits', key: 'transfer_id', grows: { made: 'at' } },
    sorts: { at: number('transfer_id'), kind: text('kind'), amount: number('amount') },
  },
  {
    ...{ path: '/api/credits/ledger', of: 'credits', key: 'entry_id', grows: { made: 'at' } },
    sorts: { at: number('entry_id'), kind: text('kind'), amount: number('amount') },
  },
  {
    ...{ path: '/api/crm/events', of: 'events', key: 'event_id' },
    grows: { made: 'created_at', table: 'deliver.event', id: 'event_id' },
    sorts: { created_at: text('created_at'), type: text('type') },
  },
  {
    ...{ path: '/api/keys/{prefix}/requests', of: 'requests', key: 'request_id' },
    grows: { made: 'at', table: 'access.request_log', id: 'request_id' },
    sorts: {
      ...{ at: text('at'), status: number('status'), ms: number('ms') },
      route: (row) => [String(row['route']), String(row['method'])],
    },
  },
  {
    ...{ path: '/api/standing-orders/{id}/runs', of: 'standingRuns', key: 'run_id' },
    sorts: { created_at: number('run_id'), state: text('state'), matches: number('matches') },
  },
  {
    ...{ path: '/api/watchlist/{watchlist_id}', of: 'watched', key: 'identifier', within: 'entities' },
    sorts: { added_at: text('added_at'), name: lower('name'), identifier: text('identifier') },
  },
  {
    ...{ path: '/admin/ingest/runs/{id}/rejects', of: 'rejects', key: 'line' },
    sorts: { line: number('line'), code: text('code') },
  },
  ...['/admin/records/{entity}/{identifier}/history', '/api/company/history'].map((path) => ({
    ...{ path, of: 'changes', key: 'run_id' },
    sorts: { as_of: text('as_of') },
  })),
]
