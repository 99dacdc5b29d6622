/**
 * The sign-in page, or the pages behind it. When a session ends, the sign-in page covers the open page: input stays
 * there, hidden, for the same person to continue, also after signing in again in another tab.
 */
import { Dialog } from '@ariakit/react'
import { Fragment, type ReactNode, useEffect } from 'react'
import { hasSessionEnded } from '../wire/csrf.ts'
import { beginSession, formerSession } from '../wire/queries.ts'
import { followOtherTab, type Session, whoseIs } from '../wire/session.ts'
import { focusOnPage } from './focus-on-page.ts'

export function Entered<Kind extends Session>(props: {
  readonly session: Kind | null
  readonly signIn: ReactNode
  readonly children: (session: Kind) => ReactNode
}) {
  const { session, signIn, children } = props
  const shown = session ?? (hasSessionEnded() ? (formerSession() as Kind | undefined) : undefined)
  const isIn = session !== null
  useEffect(() => {
    if (isIn) requestAnimationFrame(focusOnPage)
  }, [isIn])
  useEffect(() => {
    if (isIn || !shown) return
    const look = async () => {
      const again = await followOtherTab(shown).catch(() => undefined)
      if (again) beginSession(again)
    }
    const onFocus = () => void look()
    addEventListener('focus', onFocus)
    return () => removeEventListener('focus', onFocus)
  }, [isIn, shown])
  if (!shown) return <main>{signIn}</main>
  return (
    <>
      <Fragment key={whoseIs(shown)}>{children(shown)}</Fragment>
      <Dialog
        open={!session}
        aria-label="Sign in again"
        className="dialog session-ended"
        backdrop={<div className="backdrop session-ended" />}
        hideOnEscape={false}
        hideOnInteractOutside={false}
        unmountOnHide
      >
        {signIn}
      </Dialog>
    </>
  )
}
