/** A hint at an act, for who may press it. */
import type { ReactNode } from 'react'
import { useMay } from './operator.ts'

export const ForOperators = ({ children }: { readonly children: ReactNode }): ReactNode =>
  useMay('operator') ? children : null
