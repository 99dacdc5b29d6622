/** What a form asks for of a standing order, and what was typed as the API takes it. */
import type { FieldShape, Typed } from '../../look/field.tsx'
import { useCrms } from './crms.ts'

interface Shown {
  readonly name: string
  readonly query: string | null
  readonly budget: { readonly day: number; readonly month: number; readonly run: number } | null
  readonly conditions: { readonly has_mobile: boolean; readonly has_email: boolean; readonly active: boolean }
  readonly schedule: string
  readonly delivery: { readonly destinations: readonly string[] }
}

export const types = [
  { value: 'company', label: 'Companies' },
  { value: 'gst', label: 'GST registrations' },
] as const

const tick = (isOn: boolean | undefined) => (isOn === true ? { initial: 'on' } : {})

const crmPrefix = 'crm '

/** @param known what it says now; none where it is made. @param query that it begins with. */
export function useStandingFields(known?: Shown, query?: string): readonly FieldShape[] {
  const crms = useCrms().map(({ destination_id, name }) => ({
    ...{ name: `${crmPrefix}${destination_id}`, label: `Deliver into ${name}`, kind: 'check' as const, optional: true },
    ...tick(known?.delivery.destinations.includes(destination_id)),
  }))
  return [...fieldsOf(known, query), ...crms]
}

const fieldsOf = (known: Shown | undefined, query: string | undefined): readonly FieldShape[] => [
  { name: 'name', label: 'Name', ...(known && { initial: known.name }) },
  ...(known ? [] : [{ name: 'type', label: 'What is looked for', options: types }]),
  {
    name: 'query',
    label: 'Query',
    kind: 'lines',
    hint: "In the screener language, such as State == 'Goa' AND paidUpCapital >= 100000",
    ...((known?.query ?? query) && { initial: known?.query ?? query ?? '' }),
  },
  {
    name: 'has_mobile',
    label: 'Only with a mobile number',
    kind: 'check',
    optional: true,
    ...tick(known?.conditions.has_mobile),
  },
  {
    name: 'has_email',
    label: 'Only with an e-mail address',
    kind: 'check',
    optional: true,
    ...tick(known?.conditions.has_email),
  },
  {
    name: 'active',
    label: 'Only active records',
    kind: 'check',
    optional: true,
    ...tick(known?.conditions.active ?? true),
  },
  { name: 'day', label: 'Credits a day at most', kind: 'number', initial: String(known?.budget?.day ?? 20) },
  { name: 'month', label: 'Credits a month at most', kind: 'number', initial: String(known?.budget?.month ?? 400) },
  { name: 'run', label: 'Credits a run at most', kind: 'number', initial: String(known?.budget?.run ?? 20) },
]

/** The members that both making and changing one take. */
export function standingTyped(typed: Typed) {
  const destinations = Object.keys(typed).flatMap((name) =>
    name.startsWith(crmPrefix) ? [name.slice(crmPrefix.length)] : [],
  )
  return {
    delivery: { destinations },
    name: typed['name'] ?? '',
    query: typed['query'] ?? null,
    conditions: {
      has_mobile: typed['has_mobile'] === 'on',
      has_email: typed['has_email'] === 'on',
      active: typed['active'] === 'on',
    },
    budget: { day: Number(typed['day']), month: Number(typed['month']), run: Number(typed['run']) },
  }
}

export const typeIn = (typed: Typed) => types.find(({ value }) => value === typed['type'])?.value ?? 'company'
