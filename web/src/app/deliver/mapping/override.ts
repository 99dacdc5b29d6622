/** The override of one field: as a form asks for it, as the API takes it, and as the page describes it. */
import type { FieldShape, Typed } from '../../../look/field-shape.ts'
import { conditionsHint, conditionsIn, linesOf, type PlainValue } from './conditions.ts'
import { listOf, wordsOf } from './listed-words.ts'
import type { FieldMapping } from './read-mapping.ts'

const kinds = [
  { value: 'company', label: 'companies' },
  { value: 'director', label: 'directors' },
  { value: 'gst', label: 'GST registrations' },
] as const
const transforms = ['trim', 'upper', 'lower', 'title', 'digits', 'first', 'year'] as const
const values = [
  { value: 'own', label: 'as Panji fills it' },
  { value: 'constant', label: 'the same text for every lead' },
  { value: 'column', label: 'a column of the lead' },
  { value: 'template', label: 'a text with columns in it' },
  { value: 'round_robin', label: 'one of several in turn' },
  { value: 'conditions', label: 'by conditions' },
  { value: 'omit', label: 'never written' },
] as const
const ownerships = [
  { value: 'own', label: 'as Panji fills it' },
  { value: 'always', label: 'the register, always' },
  { value: 'if_empty', label: 'whichever fills it first' },
  { value: 'if_unchanged', label: 'the register, until someone edits it' },
] as const

const ownerValues = ['always', 'if_empty', 'if_unchanged'] as const

const ofValue = (...is: string[]) => ({ when: { name: 'value', is } })

/** @param columns of the lead. */
export function overrideFields(present: FieldMapping | undefined, columns: readonly string[]): readonly FieldShape[] {
  const { kind, text, lines } = partsOf(present?.value)
  const begins = (of: string) => (of === kind ? text : '')
  return [
    { name: 'value', label: 'It holds', options: values, initial: kind },
    { name: 'column', label: 'Column', options: columns, initial: begins('column'), ...ofValue('column') },
    { name: 'constant', label: 'Text', initial: begins('constant'), ...ofValue('constant') },
    {
      ...{ name: 'template', label: 'Text with columns', initial: begins('template'), ...ofValue('template') },
      hint: 'Write columns in braces: {LegalName} ({GSTIN}).',
    },
    {
      ...{ name: 'round_robin', label: 'Values', initial: begins('round_robin'), ...ofValue('round_robin') },
      hint: 'Separate them by commas: asha@example.com, ravi@example.com. Put a value that contains a comma in quotes.',
    },
    {
      ...{ name: 'lines', label: 'Conditions', kind: 'lines', initial: lines, ...ofValue('conditions') },
      hint: `${conditionsHint} The first line that matches decides; the value after “otherwise:” goes to all other leads.`,
    },
    {
      ...{ name: 'transform', label: 'Changed by', optional: true, initial: present?.transform?.join(' ') ?? '' },
      hint: `Any of these, applied in the order you write them: ${transforms.join(', ')}.`,
    },
    {
      name: 'for',
      label: 'Leads',
      options: [{ value: 'all', label: 'all' }, ...kinds, ...several(present?.for)],
      initial: present?.for?.join(' ') ?? 'all',
    },
    { name: 'ownership', label: 'It belongs to', options: ownerships, initial: present?.ownership ?? 'own' },
  ]
}

/** ` of companies`; nothing where it is of all leads. */
export const ofKinds = (override: FieldMapping | null): string =>
  override?.for ? ` of ${override.for.map((each) => labelIn(kinds, each)).join(', ')}` : ''

/** A mapping that a program wrote may be for two kinds: that stays a choice. */
const several = (of: FieldMapping['for'] = []) =>
  of.length > 1 ? [{ value: of.join(' '), label: of.map((each) => labelIn(kinds, each)).join(', ') }] : []

/**
 * Unknown words are sent as they are, since the server's error names them.
 * @returns undefined where Panji fills the field itself.
 * @throws Mistyped for conditions that cannot be parsed.
 */
export function overrideOf(field: string, typed: Typed): FieldMapping | undefined {
  const { value = 'own', lines = '', transform = '', ownership, for: leads } = typed
  const asked = kinds.flatMap(({ value: kind }) => (leads?.split(' ').includes(kind) ? [kind] : []))
  const owner = ownerValues.find((each) => each === ownership)
  const steps = transform.split(/[\s,]+/).filter((each) => each !== '')
  if (value === 'own' && steps.length === 0 && owner === undefined) return undefined
  return {
    field,
    ...(asked.length > 0 && { for: asked }),
    ...(value !== 'own' && { value: value === 'conditions' ? conditionsIn(lines) : saidOf(value, typed[value] ?? '') }),
    ...(steps.length > 0 && { transform: steps as (typeof transforms)[number][] }),
    ...(owner && { ownership: owner }),
  }
}

function saidOf(kind: string, text: string): PlainValue {
  if (kind === 'omit') return { omit: true }
  if (kind === 'round_robin') return { round_robin: wordsOf(text) }
  if (kind === 'constant') return { constant: text }
  return kind === 'column' ? { column: text } : { template: text }
}

interface Parts {
  readonly kind: string
  readonly text: string
  readonly lines: string
}

function partsOf(value: FieldMapping['value']): Parts {
  if (value === undefined) return { kind: 'own', text: '', lines: '' }
  if ('conditions' in value) return { kind: 'conditions', text: '', lines: linesOf(value) }
  if ('omit' in value) return { kind: 'omit', text: '', lines: '' }
  if ('constant' in value) return { kind: 'constant', text: value.constant, lines: '' }
  if ('round_robin' in value) return { kind: 'round_robin', text: listOf(value.round_robin), lines: '' }
  return 'column' in value
    ? { kind: 'column', text: value.column, lines: '' }
    : { kind: 'template', text: value.template, lines: '' }
}

/** So that a column is not mistaken for a text. */
function inWords({ kind, text, lines }: Parts): string[] {
  if (kind === 'own') return []
  if (kind === 'omit') return ['never written']
  if (kind === 'conditions') return [lines.replaceAll('\n', '; ')]
  if (kind === 'round_robin') return [`in turn: ${text}`]
  return [kind === 'column' ? `column ${text}` : `“${text}”`]
}

export function overrideInWords({ value, transform, ownership, for: leads }: FieldMapping): string {
  return [
    ...inWords(partsOf(value)),
    ...(transform ? [transform.join(', ')] : []),
    ...(ownership ? [`belongs to ${labelIn(ownerships, ownership)}`] : []),
    ...(leads ? [`for ${leads.map((each) => labelIn(kinds, each)).join(', ')}`] : []),
  ].join('; ')
}

const labelIn = (options: readonly { readonly value: string; readonly label: string }[], value: string): string =>
  options.find((each) => each.value === value)?.label ?? value
