/** The field of a form that says whether a file is a snapshot or a delta. */
import type { FieldShape } from '../../look/field-shape.ts'

const modes = ['as the source says', 'snapshot', 'delta'] as const

export const modeField: FieldShape = {
  name: 'mode',
  label: 'Records that it lacks',
  options: modes,
  hint: 'A snapshot closes them, within the partitions that it covers; a delta closes nothing.',
}

/** Nothing for the source's default. */
export function modeOf(typed: string | undefined): { readonly mode?: 'snapshot' | 'delta' } {
  const mode = modes.find((each) => each === typed)
  return mode === undefined || mode === modes[0] ? {} : { mode }
}
