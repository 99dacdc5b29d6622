/** What these pages offer where a call is refused, by the code of the refusal: a place that fixes it, in words. */
import { createContext } from 'react'

export interface Remedy {
  /** What to look at first, of a page that could not be read. */
  readonly says?: string
  readonly href: string
  readonly label: string
}

export const Remedies = createContext<Readonly<Record<string, Remedy>>>({})
