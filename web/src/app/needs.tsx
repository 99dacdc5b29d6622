/** Shown instead of a refusal to people who may not read a page or act on it: why, and what helps. */
import { type ReactNode, useContext } from 'react'
import { Link } from 'wouter'
import { Account, useMay, useMayRead } from './account.ts'

export function Needs(props: {
  readonly scope: 'order' | 'deliver'
  /** A page that only reads, which every person may do. */
  readonly toRead?: boolean
  readonly asAdmin?: boolean
  readonly children: ReactNode
}) {
  const { scope, toRead = false, asAdmin = false, children } = props
  const { person } = useContext(Account)
  const [may, mayRead] = [useMay(scope, asAdmin), useMayRead(scope)]
  if (toRead ? mayRead : may) return <>{children}</>
  if (person) {
    return (
      <div className="empty">
        <p>
          You are a {person.role} of this account, which does not allow this. Ask an admin: the page{' '}
          <Link href="/team">Team</Link> names them.
        </p>
      </div>
    )
  }
  return (
    <div className="empty">
      <p>
        The key that you signed in with may not {scope}. Sign in with one that may, or{' '}
        <Link href="/keys">make one</Link> with such a key.
      </p>
    </div>
  )
}
