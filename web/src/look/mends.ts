/** What these pages offer where a call is refused, by the code of the refusal: a place that mends it, in words. */
import { createContext } from 'react'

export interface Mend {
  readonly href: string
  readonly label: string
}

export const Mends = createContext<Readonly<Record<string, Mend>>>({})
