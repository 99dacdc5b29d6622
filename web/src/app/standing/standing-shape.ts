/** A standing order as the API answers it, and a CRM that it may deliver into. */
export interface StandingOrder {
  readonly name: string
  readonly source: 'screener' | 'feed' | 'watchlist'
  readonly type: 'company' | 'gst'
  readonly query: string | null
  readonly screener_id: string | null
  readonly watchlist_id: string | null
  readonly conditions: { readonly has_mobile: boolean; readonly has_email: boolean; readonly active: boolean }
  readonly buys: boolean
  readonly budget: { readonly day: number; readonly month: number; readonly run: number } | null
  readonly spent: { readonly day: number; readonly month: number; readonly total: number }
  readonly prefer: string
  readonly delivery: { readonly destinations: readonly string[] }
  readonly schedule: string
  readonly ends_on: string | null
}

export interface Crm {
  readonly destination_id: string
  readonly name: string
}
