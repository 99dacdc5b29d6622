/** What is said of one field otherwise: as a form asks for it, as the API takes it, as the page tells it. */
import type { FieldShape, Typed } from '../../../look/field.tsx'
import type { FieldMapping } from './read-mapping.ts'

const kinds = ['company', 'director', 'gst'] as const
const transforms = ['trim', 'upper', 'lower', 'title', 'digits', 'first', 'year'] as const
const values = [
  { value: 'own', label: 'as the connector says' },
  { value: 'constant', label: 'the same text for every lead' },
  { value: 'column', label: 'a column of the lead' },
  { value: 'template', label: 'a text with columns in it' },
  { value: 'omit', label: 'never written' },
] as const
const ownerships = [
  { value: 'own', label: 'as the connector says' },
  { value: 'always', label: 'the register, always' },
  { value: 'if_empty', label: 'whoever fills it first' },
  { value: 'if_unchanged', label: 'the register, until somebody edits it' },
] as const

export function overrideFields(present: FieldMapping | undefined): readonly FieldShape[] {
  const { kind, text } = partsOf(present?.value)
  return [
    { name: 'value', label: 'It holds', options: values, initial: kind },
    {
      ...{ name: 'text', label: 'Text, column or template', optional: true, initial: text },
      hint: 'Such as Register, City, or {LegalName} ({GSTIN}).',
    },
    {
      ...{ name: 'transform', label: 'Changed by', optional: true, initial: present?.transform?.join(' ') ?? '' },
      hint: `One after the other: ${transforms.join(', ')}.`,
    },
    { name: 'for', label: 'Leads', options: ['all', ...kinds], initial: present?.for?.[0] ?? 'all' },
    { name: 'ownership', label: 'It belongs to', options: ownerships, initial: present?.ownership ?? 'own' },
  ]
}

/** Words that are none go to the server as they are: its sentence names them. */
export function overrideOf(field: string, typed: Typed): FieldMapping {
  const { value = 'own', text = '', transform = '', ownership, for: leads } = typed
  const kind = kinds.find((each) => each === leads)
  const owner = ownerships.find((each) => each.value === ownership && each.value !== 'own')?.value
  const steps = transform.split(/[\s,]+/).filter((each) => each !== '')
  return {
    field,
    ...(kind && { for: [kind] }),
    ...(value !== 'own' && { value: saidOf(value, text) }),
    ...(steps.length > 0 && { transform: steps as (typeof transforms)[number][] }),
    ...(owner && owner !== 'own' && { ownership: owner }),
  }
}

function saidOf(kind: string, text: string): NonNullable<FieldMapping['value']> {
  if (kind === 'omit') return { omit: true }
  if (kind === 'constant') return { constant: text }
  return kind === 'column' ? { column: text } : { template: text }
}

function partsOf(value: FieldMapping['value']): { readonly kind: string; readonly text: string } {
  if (value === undefined) return { kind: 'own', text: '' }
  if ('omit' in value) return { kind: 'omit', text: '' }
  if ('constant' in value) return { kind: 'constant', text: value.constant }
  return 'column' in value ? { kind: 'column', text: value.column } : { kind: 'template', text: value.template }
}

export function overrideInWords({ value, transform, ownership, for: leads }: FieldMapping): string {
  const { kind, text } = partsOf(value)
  return [
    ...(kind === 'omit' ? ['never written'] : kind === 'own' ? [] : [`${kind} ${text}`]),
    ...(transform ? [transform.join(', ')] : []),
    ...(ownership ? [ownership.replace('_', ' ')] : []),
    ...(leads ? [`for ${leads.join(', ')}`] : []),
  ].join('; ')
}
