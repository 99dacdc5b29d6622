/**
 * A field for a day. Its parts stand in the browser's order; the day itself is read back as every page tells days. While a year is
 * typed the browser tells of the years 2, 20 and 202, too, of which no register knows: they are asked of nobody.
 */
import { type ComponentProps, useId, useState } from 'react'
import { dayInWords, readsAsDay } from './days.ts'

type DayInputProps = Omit<ComponentProps<'input'>, 'type' | 'value' | 'defaultValue' | 'onChange'> & {
  readonly day: string
  readonly change?: (day: string) => void
}

export function DayInput({ day, change, 'aria-describedby': hint, ...input }: DayInputProps) {
  const [{ known, typed }, setTyped] = useState({ known: day, typed: day })
  // Chosen elsewhere, as by a step back.
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
