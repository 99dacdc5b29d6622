/** A hint about an action, for roles that may do it. */
import type { ReactNode } from 'react'
import { useMay } from './operator.ts'

export const ForOperators = ({ children }: { readonly children: ReactNode }): ReactNode =>
  useMay('operator') ? children : null
