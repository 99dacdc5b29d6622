/** When paid orders are delivered to a CRM: for forms, for the API, and in words. */
import type { FieldShape, Typed } from '../field-shape.ts'

const words = {
  manual: 'manually',
  approved: 'when someone approves its plan',
  automatic: 'automatically, as soon as an order is paid',
} as const
const atTime = 'time'

/** @param when `manual`, `approved`, `automatic` or `HH:MM`. */
export const whenInWords = (when: string): string =>
  when in words ? words[when as keyof typeof words] : `every day at ${when} in India`

export function whenFields(present = 'manual'): readonly FieldShape[] {
  const isTime = present.includes(':')
  return [
    {
      ...{ name: 'deliver', label: 'Paid orders go there', initial: isTime ? atTime : present },
      options: [
        ...Object.entries(words).map(([value, label]) => ({ value, label })),
        { value: atTime, label: 'every day at a time' },
      ],
    },
    {
      ...{ name: 'time', label: 'Time in India', kind: 'time', optional: true },
      ...(isTime && { initial: present }),
      hint: 'Where they go every day at a time.',
    },
  ]
}

export const whenOf = ({ deliver = 'manual', time }: Typed): string => (deliver === atTime ? (time ?? '') : deliver)
