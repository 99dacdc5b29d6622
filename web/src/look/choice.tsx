/** A filter with a few values; the first, empty one means any. */
import { FilterField, type FilterProps } from './filter-field.tsx'

export function Choice({ label, value, options, set }: FilterProps & { readonly options: readonly string[] }) {
  return (
    <FilterField label={label}>
      {(id) => (
        <select id={id} value={value} onChange={(event) => set(event.target.value)}>
          {options.map((option) => (
            <option key={option} value={option}>
              {option === '' ? 'any' : option.replaceAll('_', ' ')}
            </option>
          ))}
        </select>
      )}
    </FilterField>
  )
}
