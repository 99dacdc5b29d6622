/** What was typed into a dialog and is not saved yet, so that a reload and a way back find it again (kept-draft.ts); no secret. */
import type { FieldShape, Typed } from './field-shape.ts'
import { initialOf } from './fields.tsx'
import { useKeptDraft } from './kept-draft.ts'

export interface KeptForm {
  /** What was left when the dialog was opened. */
  readonly left: Typed | undefined
  readonly keep: (typed: Typed) => void
  readonly drop: () => void
}

/** @param title of the dialog, which no other of its page has. @param isKept of a field; none: nothing is kept. */
export function useKeptForm(
  title: string,
  fields: readonly FieldShape[],
  isKept: ((field: FieldShape) => boolean) | undefined,
): KeptForm {
  const [draft, setDraft] = useKeptDraft<Typed>(`form ${location.pathname} ${title}`)
  if (!isKept) return { left: undefined, keep: () => {}, drop: () => {} }
  const names = fields.filter(isKept).map(({ name }) => name)
  return {
    // Of what is not kept the form begins as it always does.
    left: draft && {
      ...Object.fromEntries(Object.entries(initialOf(fields)).filter(([name]) => !names.includes(name))),
      ...draft,
    },
    keep: (typed) => setDraft(Object.fromEntries(Object.entries(typed).filter(([name]) => names.includes(name)))),
    drop: () => setDraft(undefined),
  }
}
