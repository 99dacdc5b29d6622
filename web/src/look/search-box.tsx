/** A search that happens when it is sent, so that the list does not jump while somebody types. */
import { useEffect, useRef } from 'react'
import { FilterField, type FilterProps } from './filter-field.tsx'

interface SearchProps extends FilterProps {
  /** What the button is called. */
  readonly act?: string
}

export function SearchBox({ label, value, set, act = 'Search' }: SearchProps) {
  const input = useRef<HTMLInputElement>(null)
  // What the address says is shown in the same input: another one would not have the focus of whoever searches.
  useEffect(() => {
    if (input.current) input.current.value = value
  }, [value])
  return (
    <search>
      <form
        className="filters"
        onSubmit={(event) => {
          event.preventDefault()
          set(String(new FormData(event.currentTarget).get('search') ?? '').trim())
        }}
      >
        <FilterField label={label}>
          {(id) => <input ref={input} id={id} name="search" type="search" defaultValue={value} />}
        </FilterField>
        <button type="submit">{act}</button>
      </form>
    </search>
  )
}
