/**
 * POSTs that only read, or under whose Idempotency-Key the API gives the first answer again; made from its OpenAPI document
 * by `npm run client`, do not edit.
 */
export const repeatable: ReadonlySet<string> = new Set([
  '/api/team',
  '/api/credits/purchase',
  '/api/plans/{id}/buy',
  '/api/offers/{id}/buy',
  '/api/offers/{id}/activate',
  '/api/subscriptions/{id}/renew',
  '/api/recently-registered/companies',
  '/api/recently-registered/directors',
  '/api/recently-registered/gst',
  '/api/screener/search',
  '/api/screener/facets',
  '/api/screener/explain',
  '/api/screener/phrase',
  '/api/screener/terms',
  '/api/screener/screeners',
  '/api/screener/screeners/{screener_id}/run',
  '/api/watchlist',
  '/api/watchlist/{watchlist_id}/entities',
  '/api/orders/normal',
  '/api/orders/export',
  '/api/standing-orders',
  '/api/standing-orders/preview',
  '/api/crm/newlead',
  '/api/crm/destinations/{destination_id}/mapping/preview',
  '/api/crm/orders/{order_id}/plan',
  '/api/crm/orders/{order_id}/push',
  '/api/crm/deliveries/{delivery_id}/sandbox',
  '/api/crm/destinations/{destination_id}/resend/plan',
])
