/** Form fields for a schedule; `cron-line.ts` turns them into a cron expression. */
import type { FieldShape } from '../look/field-shape.ts'

const oftens = [
  { value: 'day', label: 'every day' },
  { value: 'weekdays', label: 'Monday to Friday' },
  { value: 'week', label: 'every week' },
  { value: 'month', label: 'every month' },
  { value: 'hour', label: 'every hour' },
  { value: 'cron', label: 'cron expression' },
] as const
const days = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday']
const often = (...is: string[]) => ({ when: { name: 'often', is } })

export const cronFields: readonly FieldShape[] = [
  { name: 'often', label: 'How often', options: oftens, initial: 'day' },
  {
    ...{ name: 'weekday', label: 'On', initial: '1', ...often('week') },
    options: days.map((label, index) => ({ value: String(index + 1), label })),
  },
  {
    ...{ name: 'date', label: 'On day', kind: 'number', initial: '1', ...often('month') },
    hint: '1 to 31; a month without that day is left out.',
  },
  {
    ...{ name: 'at', label: 'Time in India', kind: 'time', initial: '02:30' },
    ...often('day', 'weekdays', 'week', 'month'),
  },
  { name: 'past', label: 'Minutes past the hour', kind: 'number', initial: '30', ...often('hour') },
  {
    ...{ name: 'cron', label: 'Cron expression', initial: '30 2 * * *', ...often('cron') },
    hint: 'Minute, hour, day, month, weekday, in Indian time.',
  },
]
