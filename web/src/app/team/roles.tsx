/** What each role may do, from least to most. */
import { Facts } from '../../look/facts.tsx'

export const roles = ['viewer', 'buyer', 'admin'] as const
export type Role = (typeof roles)[number]

export const roleOf = (typed: string | undefined): Role => roles.find((role) => role === typed) ?? 'viewer'

export const roleOptions = [
  { value: 'viewer', label: 'Viewer: reads and searches' },
  { value: 'buyer', label: 'Buyer: also orders and delivers' },
  { value: 'admin', label: 'Admin: also decides about money, CRMs and people' },
] as const satisfies readonly { readonly value: Role; readonly label: string }[]

export function Roles() {
  return (
    <section>
      <h2>Roles</h2>
      <Facts
        of={[
          ['Viewer', 'Reads everything of the account, searches, and exports what it owns.'],
          ['Buyer', 'Also orders, delivers, runs standing orders, and keeps watchlists and saved screeners.'],
          ['Admin', 'Also decides about API keys, plans, credits, billing, CRMs, webhooks and people.'],
        ]}
      />
    </section>
  )
}
