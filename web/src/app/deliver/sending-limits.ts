/** How many leads one write into a CRM holds, and in which hours they go: as forms ask for it, as the API takes it, as pages say it. */
import type { FieldShape, Typed } from '../../look/field.tsx'
import { counted } from '../../look/numbers.ts'

/** As the API has them; null: as many as the CRM takes, at any time. */
interface SendingLimits {
  readonly batch_size: number | null
  /** `20:00-06:00` */
  readonly hours: string | null
}

const none: SendingLimits = { batch_size: null, hours: null }

export function limitsInWords({ batch_size: size, hours }: SendingLimits): string {
  const many = size === null ? 'as many at once as the CRM takes' : `at most ${counted(size, 'lead')} at once`
  return `${many}, ${hours === null ? 'at any time' : `from ${hours.replace('-', ' to ')} in India`}`
}

export function limitFields({ batch_size: size, hours }: SendingLimits = none): readonly FieldShape[] {
  const [from = '', until = ''] = hours?.split('-') ?? []
  return [
    {
      ...{ name: 'batch', label: 'Most leads of one write', kind: 'number', optional: true },
      ...(size !== null && { initial: String(size) }),
      hint: 'For a CRM whose own code bears no more at once. Empty: as many as the CRM takes.',
    },
    { ...{ name: 'from', label: 'Leads go from', kind: 'time', optional: true, initial: from } },
    {
      ...{ name: 'until', label: 'and until', kind: 'time', optional: true, initial: until },
      hint: 'Of the day in India, past midnight where it is earlier. Both empty: at any time.',
    },
  ]
}

export const limitsOf = ({ batch, from, until }: Typed): SendingLimits => ({
  batch_size: batch === undefined ? null : Number(batch),
  hours: from === undefined && until === undefined ? null : `${from ?? ''}-${until ?? ''}`,
})
