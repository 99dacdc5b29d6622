/**
 * A form of what is saved whole. It is begun with a revision; where somebody else changed that meanwhile the server refuses it, and
 * the form is begun anew with what stands there now, without a word of what was typed here being lost.
 */
import { PanjiApiError } from '../wire/api.ts'
import type { FieldShape, Typed } from './field-shape.ts'
import { initialOf } from './fields.tsx'
import { type ChangedThere, takenOver } from './taken-over.ts'

/** What a form begins with. */
export interface Begun {
  readonly fields: readonly FieldShape[]
  readonly revision: string
}

export interface WholeForm extends Begun {
  /** As it is now; `changed` is what is told beside the fields. */
  readonly readAnew: () => Promise<Begun & { readonly changed?: readonly ChangedThere[] }>
}

/** A form that was begun, also one that was left half-written. */
export interface Draft {
  readonly typed: Typed
  /** What it was begun with, and of which revision that was. */
  readonly from: Typed
  readonly revision: string
}

export interface Opened extends Draft {
  /** Of each opening another: its fields begin with what is typed. */
  readonly opening: number
  readonly changed: readonly ChangedThere[]
}

export function openedWith({ fields, revision }: Begun, draft?: Draft, opening = 0): Opened {
  const now = initialOf(fields)
  if (!draft || draft.revision === revision) {
    return { opening, changed: [], ...(draft ?? { typed: now, from: now, revision }) }
  }
  return { ...takenOver(fields, { ...draft, now }), opening, from: now, revision }
}

/** What was left half-written, in place of what the form would begin with. */
export const begunWith = (typed: Typed, fields: readonly FieldShape[]): readonly FieldShape[] =>
  fields.map((field) => ({ ...field, initial: typed[field.name] ?? '' }))

export const isOvertaken = (failure: unknown): boolean =>
  failure instanceof PanjiApiError && failure.code === 'CONFLICT' && 'revision' in failure.body
