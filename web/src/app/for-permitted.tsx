/** A hint about an action, for people who may do it; others see whom to ask. */
import { type ReactNode, useContext } from 'react'
import { Account, type Need, useMay } from './account.ts'

export function ForPermitted(props: {
  readonly needs: Need
  readonly asAdmin?: boolean
  /** For other people of the account: whom to ask. */
  readonly others?: ReactNode
  readonly children?: ReactNode
}) {
  const { needs, asAdmin = false, others = null, children } = props
  const { person, viewed_by } = useContext(Account)
  if (useMay(needs, asAdmin)) return children
  return person !== null && viewed_by === null ? others : null
}
