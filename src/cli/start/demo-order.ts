/** Places the sample order as a customer would: logs in with the API key and posts the order over HTTP. */
import type { Db } from '../../db/db.ts'
import type { DemoAccount } from './demo-account.ts'

interface Item {
  readonly type: string
  readonly name: string
  readonly number: string
}

export async function placeDemoOrder(
  db: Db,
  apiUrl: string,
  account: DemoAccount,
): Promise<{ orderId: string; cin: string }> {
  const items = await pickItems(db)
  const cin = items.find((item) => item.type === 'company')?.number ?? ''
  const login = await post(apiUrl, '/api/auth/login', { api_key: account.apiKey }, {})
  const token = (login['token'] as { access_token: string }).access_token
  const order = await post(
    apiUrl,
    '/api/orders/normal',
    { orderName: 'Sample order', paymentOption: 'credits', items },
    // The key makes a repeated start find the same order instead of paying twice.
    { authorization: `Bearer ${token}`, 'idempotency-key': 'sample-order' },
  )
  return { orderId: String(order['_id']), cin }
}

/** Three GST registrations (one without contact data, so that its credit is refunded), two companies, one director. */
async function pickItems(db: Db): Promise<Item[]> {
  return db.query<Item>(
    `(SELECT 'gst' AS type, coalesce(trade_name, legal_name, gstin) AS name, gstin AS number FROM registry.gst_taxpayer t
       WHERE t.status = 'Active' AND EXISTS (SELECT FROM registry.ways_to_reach('gst', t.gstin)) ORDER BY gstin LIMIT 2)
     UNION ALL
     (SELECT 'gst', coalesce(trade_name, legal_name, gstin), gstin FROM registry.gst_taxpayer t
       WHERE t.status = 'Active' AND NOT EXISTS (SELECT FROM registry.ways_to_reach('gst', t.gstin)) ORDER BY gstin LIMIT 1)
     UNION ALL
     (SELECT 'company', name, cin FROM registry.company t
       WHERE t.status = 'Active' AND t.company_type = 'Company' AND EXISTS (SELECT FROM registry.ways_to_reach('company', t.cin)) ORDER BY cin LIMIT 2)
     UNION ALL
     (SELECT 'director', full_name, din FROM registry.director t
       WHERE EXISTS (SELECT FROM registry.ways_to_reach('director', t.din)) ORDER BY din LIMIT 1)`,
  )
}

async function post(
  apiUrl: string,
  path: string,
  body: object,
  headers: Record<string, string>,
): Promise<Record<string, unknown>> {
  const response = await fetch(`${apiUrl}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
  const answer = (await response.json()) as Record<string, unknown>
  if (!response.ok) throw new Error(`POST ${path} answered ${response.status}: ${String(answer['detail'])}`)
  return answer
}
