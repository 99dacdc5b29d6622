/**
 * How a plan may be approved: as it is or, where it matches records that already exist, by adopting them or by creating
 * new ones.
 */
import { counted } from '../../look/numbers.ts'
import type { Plan } from './planned-rows.tsx'

interface Approval {
  readonly label: string
  readonly adopt?: boolean
  readonly says?: string
}

/** Records that were in the CRM before are adopted only on request. */
export function approvals(counts: Plan['counts']): readonly Approval[] {
  const before = counts['adopt'] ?? 0
  if (before === 0) return [{ label: 'Approve and deliver' }]
  const records = counted(before, 'record')
  return [
    {
      ...{ label: 'Adopt them and deliver', adopt: true },
      says: `${records} that you already had will be used for your leads; the values that you entered are kept.`,
    },
    {
      ...{ label: 'Create new records and deliver', adopt: false },
      says: `${records} that you already had will not be changed; new ones are created for your leads.`,
    },
  ]
}
