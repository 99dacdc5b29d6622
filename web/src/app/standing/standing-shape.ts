/** The API's standing order, and a CRM that it may deliver to, as far as pages show or change them. */
import type { components } from '../../../../client/api-types.ts'

type Answered = components['schemas']['StandingOrder']

export type StandingOrder = Pick<
  Answered,
  | ('name' | 'source' | 'type' | 'query' | 'screener_id' | 'watchlist_id' | 'conditions')
  | ('buys' | 'budget' | 'spent' | 'prefer' | 'schedule' | 'ends_on' | 'revision')
> & { readonly delivery: Pick<Answered['delivery'], 'destinations'> }

export interface Crm {
  readonly destination_id: string
  readonly name: string
}
