/**
 * A form for a resource that is saved whole. It starts from a revision; if somebody else has changed the resource
 * since, the server refuses it, and the form is rebased on the current values without losing what was typed.
 */
import { PanjiApiError } from '../wire/api.ts'
import type { FieldShape, Typed } from './field-shape.ts'
import { initialOf } from './fields.tsx'
import { type ChangeByOthers, rebaseForm } from './rebase-form.ts'

export interface Begun {
  readonly fields: readonly FieldShape[]
  readonly revision: string
}

export interface WholeForm extends Begun {
  /** The current form; `changed` is shown next to the fields. */
  readonly readAnew: () => Promise<Begun & { readonly changed?: readonly ChangeByOthers[] }>
}

/** A form that was started, including one that was left unfinished. */
export interface Draft {
  readonly typed: Typed
  /** The values it was started from, and their revision. */
  readonly from: Typed
  readonly revision: string
}

export interface Opened extends Draft {
  /** Different for each opening, because fields start with what was typed. */
  readonly opening: number
  readonly changed: readonly ChangeByOthers[]
}

export function openedWith({ fields, revision }: Begun, draft?: Draft, opening = 0): Opened {
  const now = initialOf(fields)
  if (!draft || draft.revision === revision) {
    return { opening, changed: [], ...(draft ?? { typed: now, from: now, revision }) }
  }
  return { ...rebaseForm(fields, { ...draft, now }), opening, from: now, revision }
}

/** An unfinished form, instead of the initial values. */
export const begunWith = (typed: Typed, fields: readonly FieldShape[]): readonly FieldShape[] =>
  fields.map((field) => ({ ...field, initial: typed[field.name] ?? '' }))

export const isOvertaken = (failure: unknown): boolean =>
  failure instanceof PanjiApiError && failure.code === 'CONFLICT' && 'revision' in failure.body
