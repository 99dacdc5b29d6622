/**
 * Who owns a field of a CRM record: the register or the people who work there. Decides per field whether the lead's
 * value may replace the CRM's value. Pure: the same record and lead always give the same decision, and a record that
 * already agrees needs no write.
 *
 * Empty means null, undefined or only white space, on all three sides. A field counts as edited if the CRM holds
 * something other than what Panji wrote last, also if a user cleared it. What Panji never wrote counts as empty, so a
 * value from before Panji is an edit. What Panji sent without an answer may be there and is not an edit. Where a CRM
 * has stages through which a record only moves forward, none is set back. An empty text clears only what Panji wrote,
 * under the same rule.
 *
 * A lead may lack a field, because the user may not write it now or the CRM no longer has it. Its last pushed value
 * is then remembered wrapped in a one-element list: when the field is back, that value and empty (it may have been
 * created again) are no edits.
 */

import type { OutgoingLead, Ownership, RowWrite } from './contract.ts'

export type FieldValue = string | number

export interface FieldRule {
  readonly ownership: Ownership
  /** Compared as numbers: a CRM may return `1000` as `1000.0`. */
  readonly numeric?: boolean
  /** Compared ignoring case: the CRM stores the value in lower case. */
  readonly caseless?: boolean
  /** Other names of the values of a list → the names by which they are compared. */
  readonly names?: Readonly<Record<string, string>> | undefined
  /** Stages through which the CRM only lets a record move forward, in order. */
  readonly stages?: readonly string[]
}

export interface FieldDecision<V extends FieldValue = FieldValue> {
  /** Fields to send; empty when the record needs nothing. */
  readonly write: Readonly<Record<string, V>>
  /** Fields whose newer value a user's edit keeps out; `if_empty` fields are filled once and are never held. */
  readonly held: readonly string[]
  /** What to remember as pushed once the write is accepted; for a held field, what was pushed before. */
  readonly values: Readonly<Record<string, unknown>>
}

/** The lead with each row that was sent without an answer, for `decideFields` to map like the lead itself. */
export const unconfirmedOf = <L extends OutgoingLead>(lead: L): L[] =>
  (lead.unconfirmed ?? []).map(({ row, overrides = [] }) => ({ ...lead, row, overrides }))

/**
 * @param target the values that the lead wants, by CRM field; the empty text clears.
 * @param present the record in the CRM; null if there is none.
 * @param unconfirmed what was sent since `lastPushed` without an answer, as targets.
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
      // Panji does not clear what it never wrote.
    } else if (present === null || mayWrite(rule, wanted, current, [...ours, ...sentOf(unconfirmed, field)])) {
      write[field] = wanted
      if (!isEmpty(wanted)) values[field] = wanted
    } else {
      if (isHeld(rule, wanted, before)) held.push(field)
      if (!isEmpty(before)) values[field] = known
    }
  }
  // A record that is created again holds none of it.
  for (const [field, known] of Object.entries((present && lastPushed) ?? {}))
    if (!(field in target)) values[field] = Array.isArray(known) ? known : [known]
  return { write, held, values }
}

/** What a decision would change, for a plan. @param present as passed to `decideFields`. */
export function changesOf(
  { write }: FieldDecision,
  present: Readonly<Record<string, unknown>>,
): { readonly field: string; readonly before: unknown; readonly after: unknown }[] {
  return Object.entries(write).map(([field, after]) => ({ field, before: present[field] ?? null, after }))
}

/** What a decision sends, as a push reports it. @param present as passed to `decideFields`. */
export function rowWriteOf(
  { write }: Pick<FieldDecision, 'write'>,
  present: Readonly<Record<string, unknown>> | null | undefined,
): RowWrite {
  const before = present && Object.fromEntries(Object.keys(write).map((field) => [field, present[field] ?? null]))
  return { sent: write, before: before ?? null }
}

/** Values that may have been written into a field; a lead without the field did not touch it. */
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

/** A stage that a user emptied could be set to anything, so only Panji's own value is cleared. */
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

/** For a field that was missing, the ledger stores a one-element list. */
export const lastWritten = (known: unknown): unknown => (Array.isArray(known) ? known[0] : known)

function isEmpty(value: unknown): boolean {
  return textOf(value) === ''
}

function isSame({ numeric, caseless, names }: FieldRule, left: unknown, right: unknown): boolean {
  const [a, b] = [namedBy(names, textOf(left)), namedBy(names, textOf(right))]
  if (a === b) return true
  if (a === '' || b === '') return false
  if (caseless === true && a.toLowerCase() === b.toLowerCase()) return true
  return numeric === true && Number(a) === Number(b)
}

/** Several values of a list are separated by `;`. */
const namedBy = (names: FieldRule['names'], text: string): string =>
  names === undefined
    ? text
    : text
        .split(';')
        .map((value) => names[value] ?? value)
        .join(';')

/** As the CRM returns it: numbers possibly as text, line ends as CR LF, ends trimmed. */
export function textOf(value: unknown): string {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  return typeof value === 'string' ? value.replaceAll('\r\n', '\n').trim() : ''
}
