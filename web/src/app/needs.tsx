/** What a page shows to a session whose key may not read it: why, and what helps, in the place of a refusal. */
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { useMay } from './account.ts'

export function Needs({ scope, children }: { readonly scope: 'order' | 'deliver'; readonly children: ReactNode }) {
  if (useMay(scope)) return <>{children}</>
  return (
    <div className="empty">
      <p>
        The key that you came in with may not {scope}. Sign in with one that may, or <Link href="/keys">make one</Link>{' '}
        with such a key.
      </p>
    </div>
  )
}
