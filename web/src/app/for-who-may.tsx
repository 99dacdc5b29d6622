/** A hint at an act, for who may press it; who else could is said to a person who may not. */
import { type ReactNode, useContext } from 'react'
import { Account, type Need, useMay } from './account.ts'

export function ForWhoMay(props: {
  readonly needs: Need
  readonly asAdmin?: boolean
  /** To other people of the account: whom they ask. */
  readonly others?: ReactNode
  readonly children?: ReactNode
}) {
  const { needs, asAdmin = false, others = null, children } = props
  const { person, viewed_by } = useContext(Account)
  if (useMay(needs, asAdmin)) return children
  return person !== null && viewed_by === null ? others : null
}
