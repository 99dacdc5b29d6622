/** A filter with a few values; empty means any. */
import { FilterField, type FilterProps } from './filter-field.tsx'

type Option = string | { readonly value: string; readonly label: string }

export function Choice({ label, value, options, set }: FilterProps & { readonly options: readonly Option[] }) {
  return (
    <FilterField label={label}>
      {(id) => (
        <select id={id} value={value} onChange={(event) => set(event.target.value)}>
          {options.map(shown).map((option) => (
            <option key={option.value} value={option.value}>
              {option.label}
            </option>
          ))}
        </select>
      )}
    </FilterField>
  )
}

const shown = (option: Option) =>
  typeof option === 'string' ? { value: option, label: option === '' ? 'any' : option.replaceAll('_', ' ') } : option
