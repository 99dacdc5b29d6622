/** A filter by day; empty means any. */
import { DayInput } from './day-input.tsx'
import { FilterField, type FilterProps } from './filter-field.tsx'

export function DayChoice({ label, value, set, max }: FilterProps & { readonly max?: string }) {
  return <FilterField label={label}>{(id) => <DayInput id={id} day={value} max={max} change={set} />}</FilterField>
}
