/** A search that happens when it is sent, so that the list does not jump while somebody types. */
import { useId } from 'react'

export function SearchBox(props: {
  readonly label: string
  readonly value: string
  readonly set: (value: string) => void
}) {
  const { label, value, set } = props
  const id = useId()
  return (
    <search>
      <form
        className="filters"
        onSubmit={(event) => {
          event.preventDefault()
          set(String(new FormData(event.currentTarget).get('search') ?? '').trim())
        }}
      >
        <div className="field">
          <label htmlFor={id}>{label}</label>
          <input key={value} id={id} name="search" type="search" defaultValue={value} />
        </div>
        <button type="submit">Search</button>
      </form>
    </search>
  )
}
