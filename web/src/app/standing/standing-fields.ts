/** The form fields of a standing order: query, budget, delivery and schedule. */
import type { FieldShape } from '../../look/field-shape.ts'
import type { Crm, StandingOrder } from './standing-shape.ts'

export const types = [
  { value: 'company', label: 'Companies' },
  { value: 'gst', label: 'GST registrations' },
] as const

export const whens = [
  { value: 'import', label: 'After each import' },
  { value: 'daily', label: 'Daily' },
  { value: 'weekly', label: 'Each Monday' },
] as const

const preferences = {
  company: [
    { value: 'newest', label: 'The newest' },
    { value: 'oldest', label: 'The oldest' },
    { value: 'paidUpCapital desc', label: 'The highest paid-up capital' },
  ],
  gst: [
    { value: 'newest', label: 'The newest' },
    { value: 'oldest', label: 'The oldest' },
  ],
} as const

export const crmPrefix = 'crm '

export interface Begun {
  /** Set when it is edited; undefined for a new one. */
  readonly known?: StandingOrder
  /** The initial query of a new one. */
  readonly query: string
  readonly type: 'company' | 'gst'
  readonly crms: readonly Crm[]
}

export function standingFields(begun: Begun): readonly FieldShape[] {
  const { known } = begun
  return [
    { name: 'name', label: 'Name', ...(known && { initial: known.name }) },
    ...(known ? [] : [{ name: 'type', label: 'What is looked for', options: types, initial: begun.type }]),
    {
      ...{ name: 'query', label: 'Query', kind: 'lines', initial: known?.query ?? begun.query },
      hint: "In the screener language, such as State == 'Goa' AND paidUpCapital >= 100000",
      optional: known !== undefined && known.source !== 'screener',
    },
    check('has_mobile', 'Only with a mobile number', known?.conditions.has_mobile === true),
    check('has_email', 'Only with an e-mail address', known?.conditions.has_email === true),
    check('active', 'Only active records', known?.conditions.active ?? true),
    ...(known?.buys === false ? [] : buying(begun)),
    { name: 'when', label: 'When', options: whens, initial: whenOf(known?.schedule ?? 'import') },
    {
      ...{ name: 'time', label: 'Time in India', kind: 'time', when: { name: 'when', is: ['daily', 'weekly'] } },
      initial: timeOf(known?.schedule) ?? '08:00',
    },
    { name: 'ends_on', label: 'Last day', kind: 'date', optional: true, initial: known?.ends_on ?? '' },
  ]
}

const check = (name: string, label: string, isOn: boolean): FieldShape => ({
  ...{ name, label, kind: 'check', optional: true },
  ...(isOn ? { initial: 'on' } : {}),
})

function buying({ known, type, crms }: Begun): readonly FieldShape[] {
  const options = preferences[known?.type ?? type]
  const prefer = known?.prefer ?? 'newest'
  const isOther = !options.some(({ value }) => value === prefer)
  return [
    credits('day', 'Credits a day at most', known?.budget?.day ?? 20),
    credits('month', 'Credits a month at most', known?.budget?.month ?? 400),
    credits('run', 'Credits a run at most', known?.budget?.run ?? 20),
    {
      ...{ name: 'prefer', label: 'Which records come first if there are more', initial: prefer },
      options: [...options, ...(isOther ? [{ value: prefer, label: prefer }] : [])],
    },
    ...crms.map(({ destination_id, name }) =>
      check(
        `${crmPrefix}${destination_id}`,
        `Deliver into ${name}`,
        known?.delivery.destinations.includes(destination_id) === true,
      ),
    ),
  ]
}

const credits = (name: string, label: string, most: number): FieldShape => ({
  ...{ name, label, kind: 'number', initial: String(most) },
})

const timeOf = (schedule: string | undefined) => /\d\d:\d\d$/.exec(schedule ?? '')?.[0]
const whenOf = (schedule: string) =>
  schedule === 'import' ? 'import' : schedule.startsWith('monday') ? 'weekly' : 'daily'
