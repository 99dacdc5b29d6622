/** Links that fix a refused call, by error code. */
import { createContext } from 'react'

export interface Remedy {
  /** What to check first when a page could not be read. */
  readonly says?: string
  readonly href: string
  readonly label: string
}

export const Remedies = createContext<Readonly<Record<string, Remedy>>>({})
