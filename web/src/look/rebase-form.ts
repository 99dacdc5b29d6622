/**
 * Rebases a form on changes that somebody else saved: untouched fields take the new value, typed ones stay, and each
 * change is reported.
 */
import type { FieldShape, Typed } from './field-shape.ts'

export interface ChangeByOthers {
  readonly label: string
  readonly was: string
  readonly is: string
  /** The value in the form, where it is neither. */
  readonly here?: string
}

/** @param from the form's initial values. @param now the values it would start with now. */
export function rebaseForm(
  fields: readonly FieldShape[],
  { typed, from, now }: { readonly typed: Typed; readonly from: Typed; readonly now: Typed },
): { readonly typed: Typed; readonly changed: readonly ChangeByOthers[] } {
  const changed: ChangeByOthers[] = []
  const after: Record<string, string> = {}
  for (const field of fields) {
    const { name, label, when } = field
    const [was, is] = [from[name], now[name]]
    // Hidden fields are not reported.
    const isAsked = when === undefined || when.is.includes(typed[when.name] ?? '')
    const mine = isAsked ? typed[name] : was
    const stands = mine === was ? is : mine
    if (stands !== undefined) after[name] = stands
    if (was === is) continue
    const change = { label, was: inWords(field, was), is: inWords(field, is) }
    changed.push(stands === is ? change : { ...change, here: inWords(field, stands) })
  }
  return { typed: after, changed }
}

function inWords({ kind, options = [] }: FieldShape, value: string | undefined): string {
  if (kind === 'check') return value === 'on' ? 'yes' : 'no'
  const named = options.flatMap((option) =>
    typeof option === 'object' && option.value === value ? [option.label] : [],
  )
  return named[0] ?? value ?? 'nothing'
}
