/** A search that runs when it is submitted, so that the list does not change while somebody types. */
import { useEffect, useRef } from 'react'
import { FilterField, type FilterProps } from './filter-field.tsx'

interface SearchProps extends FilterProps {
  readonly act?: string
}

export function SearchBox({ label, value, set, act = 'Search' }: SearchProps) {
  const input = useRef<HTMLInputElement>(null)
  // The input is updated in place when the address changes: a new one would lose the focus.
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
