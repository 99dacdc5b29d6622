/** How a plan may be approved: as it is, or, where it takes records that were there before, with them or beside them. */
import { counted } from '../../look/numbers.ts'
import type { Plan } from './planned-rows.tsx'

interface Approval {
  readonly label: string
  readonly adopt?: boolean
  readonly says?: string
}

/** Records that were in the CRM before are taken only where somebody says so. */
export function approvals(counts: Plan['counts']): readonly Approval[] {
  const before = counts['adopt'] ?? 0
  if (before === 0) return [{ label: 'Approve and deliver' }]
  const records = counted(before, 'record')
  return [
    {
      ...{ label: 'Take them over and deliver', adopt: true },
      says: `${records} that you already had will be used for your leads; what you wrote into them stays.`,
    },
    {
      ...{ label: 'Deliver beside them', adopt: false },
      says: `${records} that you already had stay as they are; new ones are created alongside them.`,
    },
  ]
}
