/** Batch size, delivery hours, rejection limit and follow-up of imports: for forms, for the API, and in words. */
import type { components } from '../../../../client/api-types.ts'
import type { FieldShape, Typed } from '../../look/field-shape.ts'
import { counted } from '../../look/numbers.ts'

/** As the API has them; null means as many as the CRM accepts, or at any time. */
type SendingLimits = Pick<components['schemas']['Destination'], 'batch_size' | 'hours' | 'pause_at_rejected' | 'keep'>

const none: SendingLimits = { batch_size: null, hours: null, pause_at_rejected: null, keep: 'delivered' }

const percentOf = (share: number): number => Math.round(share * 100)

export function limitsInWords({ batch_size: size, hours, pause_at_rejected: share, keep }: SendingLimits): string {
  const many = size === null ? 'as many at once as the CRM accepts' : `at most ${counted(size, 'lead')} at once`
  const until = share === null ? '' : `, until ${percentOf(share)} % of a hundred or more are rejected`
  const then = keep === 'fresh' ? '; what imports change on them follows' : ''
  return `${many}, ${hours === null ? 'at any time' : `from ${hours.replace('-', ' to ')} in India`}${until}${then}`
}

export function limitFields({
  batch_size: size,
  hours,
  pause_at_rejected: share,
  keep,
}: SendingLimits = none): readonly FieldShape[] {
  const [from = '', until = ''] = hours?.split('-') ?? []
  return [
    {
      ...{ name: 'batch', label: 'Most leads per write', kind: 'number', optional: true },
      ...(size !== null && { initial: String(size) }),
      hint: 'For a CRM whose own code cannot handle more at once. Leave empty for as many as the CRM accepts.',
    },
    { ...{ name: 'from', label: 'Leads go from', kind: 'time', optional: true, initial: from } },
    {
      ...{ name: 'until', label: 'and until', kind: 'time', optional: true, initial: until },
      hint: 'Times in India; an earlier time is on the next day. Leave both empty for any time.',
    },
    {
      ...{
        name: 'rejected',
        label: 'Pause when this percentage is rejected',
        kind: 'percent',
        max: 100,
        optional: true,
      },
      ...(share !== null && { initial: String(percentOf(share)) }),
      hint: 'Counted over a hundred leads or more; you are notified. Leave empty for never.',
    },
    {
      ...{ name: 'keep', label: 'When an import changes a delivered record', initial: keep },
      options: [
        { value: 'delivered', label: 'leave it as it was delivered' },
        { value: 'fresh', label: 'send what changed' },
      ],
      hint: 'Sending changes costs no credits, and a field that was edited in the CRM keeps its value.',
    },
  ]
}

export const limitsOf = ({ batch, from, until, rejected, keep }: Typed): SendingLimits => ({
  batch_size: batch === undefined ? null : Number(batch),
  hours: from === undefined && until === undefined ? null : `${from ?? ''}-${until ?? ''}`,
  pause_at_rejected: rejected === undefined ? null : Number(rejected) / 100,
  keep: keep === 'fresh' ? 'fresh' : 'delivered',
})
