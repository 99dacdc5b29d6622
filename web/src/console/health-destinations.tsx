/** CRMs that currently receive nothing, with the reason. */
import { Link } from 'wouter'
import { Card } from '../look/card.tsx'
import { counted } from '../look/numbers.ts'
import { api } from '../wire/api.ts'
import { OperatorAct } from './operator-act.tsx'
import type { Overview } from './overview.ts'

export function Destinations({ overview }: { readonly overview: Overview }) {
  const { destinations, broken_destinations } = overview
  const all = Object.values(destinations).reduce((sum, each) => sum + each, 0)
  const broken = destinations['broken'] ?? 0
  return (
    <Card
      title="Destinations"
      tone={broken > 0 ? 'bad' : 'good'}
      word={broken > 0 ? `${broken} of ${all} broken` : all === 0 ? 'none yet' : `${counted(all, 'CRM')}`}
    >
      {broken === 0 && <p>{all === 0 ? 'No account has connected a CRM.' : 'Leads go into all of them.'}</p>}
      {broken_destinations.map(({ destination_id, user_id, name, reason }) => (
        <p key={destination_id}>
          <Link href={`/accounts/${user_id}`}>{name}</Link>: {reason ?? 'it does not answer'}{' '}
          <Link href={`/deliveries?destination=${destination_id}`}>Its leads</Link>{' '}
          <OperatorAct
            label="Try again"
            title={`Try ${name} again now?`}
            calls={() => api.POST('/admin/deliveries/retry', { body: { destination_id } })}
            shows={({ retried }) => <p role="status">{counted(retried, 'lead')} will be retried.</p>}
          >
            <p>Do this once the problem there is fixed. Its first good answer resumes deliveries.</p>
          </OperatorAct>
        </p>
      ))}
    </Card>
  )
}
