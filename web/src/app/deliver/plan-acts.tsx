/**
 * What is done with a plan: it is approved as it is or, where it matches records that already exist, by adopting them
 * or by creating new ones; or it is made again.
 */
import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { Answer } from '../../../../client/api-error.ts'
import { BusyButton } from '../../look/busy-button.tsx'
import { counted } from '../../look/numbers.ts'
import { AccountAct } from '../account-act.tsx'
import type { Plan } from './planned-rows.tsx'

/** Sent with an approval. */
interface Approved {
  readonly hash: string
  readonly adopt?: boolean
}

export function PlanActs<Result>(props: {
  readonly of: Pick<Plan, 'hash' | 'counts'>
  readonly query: Pick<UseQueryResult, 'isFetching' | 'refetch'>
  readonly title: string
  readonly says: string
  readonly calls: (approved: Approved, idempotencyKey: string) => Promise<Answer<Result>>
  readonly done: () => void
  readonly children: ReactNode
}) {
  const { of: plan, query, title, says, calls, done, children } = props
  return (
    <div className="acts">
      {approvals(plan.counts).map(({ label, adopt, explains }) => (
        <AccountAct
          key={label}
          needs="deliver"
          label={label}
          title={title}
          says={() => says}
          {...(adopt === false ? {} : { tone: 'main' as const })}
          calls={(_, key) => calls({ hash: plan.hash, ...(adopt === undefined ? {} : { adopt }) }, key)}
          done={done}
        >
          {explains && <p>{explains}</p>}
          <p>
            {children} This plan’s id is <code>{plan.hash.slice(0, 12)}</code>.
          </p>
        </AccountAct>
      ))}
      <BusyButton isBusy={query.isFetching} press={() => query.refetch()}>
        {query.isFetching ? 'Planning again …' : 'Plan again'}
      </BusyButton>
    </div>
  )
}

interface Approval {
  readonly label: string
  readonly adopt?: boolean
  readonly explains?: string
}

/** Records that were in the CRM before are adopted only on request. */
function approvals(counts: Plan['counts']): readonly Approval[] {
  const before = counts['adopt'] ?? 0
  if (before === 0) return [{ label: 'Approve and deliver' }]
  const records = counted(before, 'record')
  return [
    {
      ...{ label: 'Adopt them and deliver', adopt: true },
      explains: `${records} that you already had will be used for your leads; the values that you entered are kept.`,
    },
    {
      ...{ label: 'Create new records and deliver', adopt: false },
      explains: `${records} that you already had will not be changed; new ones are created for your leads.`,
    },
  ]
}
