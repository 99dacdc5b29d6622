/** The query, budget and behaviour of a standing order, in words. */
import { Link } from 'wouter'
import { Facts } from '../../look/facts.tsx'
import { Day } from '../../look/moment.tsx'
import { spentOf } from '../../look/spent.ts'
import type { Crm, StandingOrder } from './standing-shape.ts'

export function StandingFacts({ of, crms }: { readonly of: StandingOrder; readonly crms: readonly Crm[] | undefined }) {
  const { budget, spent, buys, prefer } = of
  return (
    <Facts
      of={[
        ['Looks at', sourceOf(of)],
        ['Query', <code key="query">{of.query ?? 'Every record'}</code>],
        ['Only', conditionsOf(of)],
        ['When', scheduleIn(of.schedule)],
        ['Spent today', spentOf(spent.day, budget?.day)],
        ['Spent this month', budget && spentOf(spent.month, budget.month)],
        ['A run', budget && `${budget.run} at most, ${preferIn(prefer)} first`],
        ['Delivers into', buys && crms && <Into ids={of.delivery.destinations} crms={crms} />],
        ['Last day', of.ends_on && <Day on={of.ends_on} />],
      ]}
    />
  )
}

function Into({ ids, crms }: { readonly ids: readonly string[]; readonly crms: readonly Crm[] }) {
  if (ids.length === 0) return 'None: it waits in your orders'
  return ids.map((id, at) => {
    const crm = crms.find(({ destination_id }) => destination_id === id)
    return (
      <span key={id}>
        {at > 0 && ', '}
        {crm ? <Link href={`/destinations/${id}`}>{crm.name}</Link> : 'a CRM that was removed'}
      </span>
    )
  })
}

const registers = { company: 'Companies', gst: 'GST registrations' } as const

function sourceOf({ source, type }: StandingOrder): string {
  if (source === 'watchlist') return `${registers[type]} on a watchlist, as they change`
  return source === 'feed' ? `New ${registers[type]}` : `${registers[type]} that begin to match`
}

function conditionsOf({ conditions }: StandingOrder): string {
  const { has_mobile, has_email, active } = conditions
  const parts = [has_mobile && 'with a mobile number', has_email && 'with an e-mail address', active && 'active']
  return parts.filter((each) => each !== false).join(', ')
}

function scheduleIn(schedule: string): string {
  if (schedule === 'import') return 'After each import'
  const time = schedule.slice(-5)
  return schedule.startsWith('monday') ? `Each Monday at ${time} IST` : `Daily at ${time} IST`
}

function preferIn(prefer: string): string {
  if (prefer === 'newest' || prefer === 'oldest') return `the ${prefer}`
  const [field = '', direction] = prefer.split(' ')
  return `the ${direction === 'desc' ? 'highest' : 'lowest'} ${field}`
}
