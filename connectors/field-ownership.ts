/**
 * Who owns a field of a record in the CRM: the register or the people who work there. Decides per field whether the
 * lead's value may be written over what stands in the CRM. Pure: the same record and the same lead always give the same
 * decision, and a record that already agrees gives none to write.
 *
 * Empty is null, undefined, or text of nothing but white space, on all three sides alike. A field is edited when the CRM
 * holds something else than what Panji wrote last; a field that somebody cleared is edited too. What Panji never wrote
 * counts as empty, so a value that was there before Panji is somebody's edit. What Panji sent without hearing of it again
 * may stand there: it is no edit. Where a CRM has stages through which a record goes forward only, none is set back. An empty text takes out what Panji wrote, under the same rule, and nothing else.
 *
 * Of a field that a lead does not speak of, since the user may not write it now or the CRM has it no more, it is remembered in a list
 * of one what was pushed before: where it is back, that and nothing (it may have been made anew) are no edit.
 */

import type { OutgoingLead, Ownership, RowWrite } from './contract.ts'

export type FieldValue = string | number

export interface FieldRule {
  readonly ownership: Ownership
  /** Compared as numbers: a CRM may give `1000` back as `1000.0`. */
  readonly numeric?: boolean
  /** Compared without regard to case: the CRM stores the value in small letters, whatever it was sent. */
  readonly caseless?: boolean
  /** Stages through which the CRM lets a record go forward only, the first one first. */
  readonly stages?: readonly string[]
}

export interface FieldDecision<V extends FieldValue = FieldValue> {
  /** Fields to send; empty when the record needs nothing. */
  readonly write: Readonly<Record<string, V>>
  /** Fields whose newer value somebody's edit keeps out; `if_empty` fields are filled once and never wait. */
  readonly held: readonly string[]
  /** What to remember as pushed once the write is accepted; of a field held back, what was pushed before. */
  readonly values: Readonly<Record<string, unknown>>
}

/** The lead as it was on its way when no answer came, for `decideFields` to map as it maps the lead. */
export const unconfirmedOf = <L extends OutgoingLead>(lead: L): L[] =>
  (lead.unconfirmed ?? []).map(({ row, overrides = [] }) => ({ ...lead, row, overrides }))

/**
 * @param target what the lead wants to see, by CRM field; the empty text clears.
 * @param present the record in the CRM; null where there is none.
 * @param unconfirmed what was sent since `lastPushed` and never answered, as targets.
 */
export function decideFields<V extends FieldValue>(
  target: Readonly<Record<string, V>>,
  present: Readonly<Record<string, unknown>> | null,
  lastPushed: Readonly<Record<string, unknown>> | null,
  ruleOf: (field: string) => FieldRule,
  unconfirmed: readonly Readonly<Record<string, V>>[] = [],
): FieldDecision<V> {
  const write: Record<string, V> = {}
  const held: string[] = []
  const values: Record<string, unknown> = {}
  for (const [field, wanted] of Object.entries(target)) {
    const rule = ruleOf(field)
    const current = present?.[field]
    const known = lastPushed?.[field]
    const before = lastWritten(known)
    const ours = Array.isArray(known) ? [before, ''] : [before]
    if (isSame(rule, wanted, current)) {
      if (!isEmpty(current)) values[field] = current
    } else if (isEmpty(wanted) && [before, ...sentOf(unconfirmed, field)].every(isEmpty)) {
      // What Panji never wrote is not Panji's to take out.
    } else if (present === null || mayWrite(rule, wanted, current, [...ours, ...sentOf(unconfirmed, field)])) {
      write[field] = wanted
      if (!isEmpty(wanted)) values[field] = wanted
    } else {
      if (isHeld(rule, wanted, before)) held.push(field)
      if (!isEmpty(before)) values[field] = known
    }
  }
  // A record that is made anew holds none of it.
  for (const [field, known] of Object.entries((present && lastPushed) ?? {}))
    if (!(field in target)) values[field] = Array.isArray(known) ? known : [known]
  return { write, held, values }
}

/** What a decision would change, for a plan. @param present as `decideFields` got it. */
export function changesOf(
  { write }: FieldDecision,
  present: Readonly<Record<string, unknown>>,
): { readonly field: string; readonly before: unknown; readonly after: unknown }[] {
  return Object.entries(write).map(([field, after]) => ({ field, before: present[field] ?? null, after }))
}

/** What a decision sends, as a push tells it. @param present as `decideFields` got it. */
export function rowWriteOf(
  { write }: Pick<FieldDecision, 'write'>,
  present: Readonly<Record<string, unknown>> | null | undefined,
): RowWrite {
  const before = present && Object.fromEntries(Object.keys(write).map((field) => [field, present[field] ?? null]))
  return { sent: write, before: before ?? null }
}

/** What may have been written into a field; a lead that said nothing of it left it alone. */
const sentOf = (unconfirmed: readonly Readonly<Record<string, unknown>>[], field: string): unknown[] =>
  unconfirmed.flatMap((sent) => (field in sent ? [sent[field]] : []))

const isHeld = (rule: FieldRule, wanted: unknown, before: unknown): boolean =>
  (rule.ownership === 'if_unchanged' || rule.stages !== undefined) && !isSame(rule, wanted, before)

/** @param ours what Panji wrote last, and what it may have written since. */
function mayWrite(rule: FieldRule, wanted: unknown, current: unknown, ours: readonly unknown[]): boolean {
  if (rule.stages !== undefined && goesBack(rule, rule.stages, wanted, current, ours)) return false
  switch (rule.ownership) {
    case 'always':
      return true
    case 'if_empty':
      return isEmpty(current)
    case 'if_unchanged':
      return ours.some((each) => isSame(rule, current, each))
  }
}

/** An emptied stage could be set to any: only Panji's own is emptied. */
function goesBack(
  rule: FieldRule,
  stages: readonly string[],
  wanted: unknown,
  current: unknown,
  ours: readonly unknown[],
): boolean {
  if (isEmpty(wanted)) return !ours.some((each) => isSame(rule, current, each))
  return stages.includes(textOf(wanted)) && stages.indexOf(textOf(wanted)) < stages.indexOf(textOf(current))
}

/** Of a field that was away the ledger remembers a list of one. */
export const lastWritten = (known: unknown): unknown => (Array.isArray(known) ? known[0] : known)

function isEmpty(value: unknown): boolean {
  return textOf(value) === ''
}

function isSame({ numeric, caseless }: FieldRule, left: unknown, right: unknown): boolean {
  const [a, b] = [textOf(left), textOf(right)]
  if (a === b) return true
  if (a === '' || b === '') return false
  if (caseless === true && a.toLowerCase() === b.toLowerCase()) return true
  return numeric === true && Number(a) === Number(b)
}

/** As the CRM shows it: numbers may come back as text, line ends as CR LF, ends trimmed. */
export function textOf(value: unknown): string {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  return typeof value === 'string' ? value.replaceAll('\r\n', '\n').trim() : ''
}
