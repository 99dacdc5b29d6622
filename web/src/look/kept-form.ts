/** Keeps unsaved input of a dialog over a reload and going back (kept-draft.ts). Secrets are not kept. */
import type { FieldShape, Typed } from './field-shape.ts'
import { initialOf } from './fields.tsx'
import { useKeptDraft } from './kept-draft.ts'

export interface KeptForm {
  /** Input kept from before the dialog was opened. */
  readonly left: Typed | undefined
  readonly keep: (typed: Typed) => void
  readonly drop: () => void
}

/** @param title the dialog's, unique on its page. @param isKept selects the fields to keep; by default none. */
export function useKeptForm(
  title: string,
  fields: readonly FieldShape[],
  isKept: ((field: FieldShape) => boolean) | undefined,
): KeptForm {
  const [draft, setDraft] = useKeptDraft<Typed>(`form ${location.pathname} ${title}`)
  if (!isKept) return { left: undefined, keep: () => {}, drop: () => {} }
  const names = fields.filter(isKept).map(({ name }) => name)
  return {
    // Other fields start with their usual values.
    left: draft && {
      ...Object.fromEntries(Object.entries(initialOf(fields)).filter(([name]) => !names.includes(name))),
      ...draft,
    },
    keep: (typed) => setDraft(Object.fromEntries(Object.entries(typed).filter(([name]) => names.includes(name)))),
    drop: () => setDraft(undefined),
  }
}
