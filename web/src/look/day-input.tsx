/**
 * A field for a day. Its parts are in the browser's order, so the day is repeated in our own format. While a year is
 * typed the browser also reports the years 2, 20 and 202, which are ignored.
 */
import { type ComponentProps, useId, useState } from 'react'
import { dayInWords, readsAsDay } from './days.ts'

type DayInputProps = Omit<ComponentProps<'input'>, 'type' | 'value' | 'defaultValue' | 'onChange'> & {
  readonly day: string
  readonly change?: (day: string) => void
}

export function DayInput({ day, change, 'aria-describedby': hint, ...input }: DayInputProps) {
  const [{ known, typed }, setTyped] = useState({ known: day, typed: day })
  // Set elsewhere, as by going back.
  if (known !== day) setTyped({ known: day, typed: day })
  const id = useId()
  const put = (next: string) => {
    setTyped({ known: day, typed: next })
    if (!next.startsWith('0')) change?.(next)
  }
  return (
    <>
      <input
        {...input}
        {...(change ? { value: typed } : { defaultValue: day })}
        type="date"
        aria-describedby={hint ? `${hint} ${id}` : id}
        onChange={({ target }) => put(target.value)}
      />
      <span id={id} className="day-said">
        {readsAsDay(typed) && dayInWords(typed)}
      </span>
    </>
  )
}
