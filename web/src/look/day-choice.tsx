/** A filter by day; empty means any. */
import { FilterField, type FilterProps } from './filter-field.tsx'

export function DayChoice({ label, value, set, max }: FilterProps & { readonly max?: string }) {
  return (
    <FilterField label={label}>
      {(id) => <input id={id} type="date" value={value} max={max} onChange={(event) => set(event.target.value)} />}
    </FilterField>
  )
}
