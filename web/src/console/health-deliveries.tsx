/** Delivery lag: the age of the oldest order on its way to a CRM. */
import { Link } from 'wouter'
import { Card } from '../look/card.tsx'
import { counted } from '../look/numbers.ts'
import type { Overview } from './overview.ts'

/** A large order may take this long with a CRM that limits its calls. */
const lateSeconds = 3_600

export function Deliveries({ overview: { deliveries } }: { readonly overview: Overview }) {
  const { pushes, oldest_seconds } = deliveries
  const minutes = Math.round((oldest_seconds ?? 0) / 60)
  const isLate = (oldest_seconds ?? 0) > lateSeconds
  return (
    <Card
      title="Delivery lag"
      tone={isLate ? 'warn' : 'good'}
      word={pushes === 0 ? 'none' : minutes === 0 ? 'under a minute' : counted(minutes, 'minute')}
      acts={pushes > 0 && <Link href="/deliveries?outcome=pending">See what waits</Link>}
    >
      <p>
        {pushes === 0
          ? 'No lead is waiting for a CRM’s answer.'
          : `${counted(pushes, 'order')} on the way to CRMs; the oldest has waited that long.`}
      </p>
    </Card>
  )
}
