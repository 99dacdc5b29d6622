/** A field for a day. Its parts stand in the browser's order; the day itself is read back as every page tells days. */
import { type ComponentProps, useId, useState } from 'react'
import { dayInWords, readsAsDay } from './days.ts'

type DayInputProps = Omit<ComponentProps<'input'>, 'type' | 'value' | 'defaultValue' | 'onChange'> & {
  readonly day: string
  readonly change?: (day: string) => void
}

export function DayInput({ day, change, 'aria-describedby': hint, ...input }: DayInputProps) {
  const [typed, setTyped] = useState(day)
  const id = useId()
  const shown = change ? day : typed
  return (
    <>
      <input
        {...input}
        {...(change ? { value: day } : { defaultValue: day })}
        type="date"
        aria-describedby={hint ? `${hint} ${id}` : id}
        onChange={({ target }) => (change ?? setTyped)(target.value)}
      />
      <span id={id} className="day-said">
        {readsAsDay(shown) && dayInWords(shown)}
      </span>
    </>
  )
}
