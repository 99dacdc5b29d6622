/**
 * The door, or the pages behind it. Where a session ends while a page is open the door closes over it: what was typed there
 * stays, out of sight, for the same person to go on with.
 */
import { Dialog } from '@ariakit/react'
import { Fragment, type ReactNode, useEffect } from 'react'
import { hasSessionEnded } from '../wire/csrf.ts'
import { formerSession } from '../wire/queries.ts'
import { type Session, whoseIs } from '../wire/session.ts'
import { focusOnPage } from './focus-on-page.ts'

export function Entered<Kind extends Session>(props: {
  readonly session: Kind | null
  readonly door: ReactNode
  readonly children: (session: Kind) => ReactNode
}) {
  const { session, door, children } = props
  const shown = session ?? (hasSessionEnded() ? (formerSession() as Kind | undefined) : undefined)
  const isIn = session !== null
  useEffect(() => {
    if (isIn) requestAnimationFrame(focusOnPage)
  }, [isIn])
  if (!shown) return <main>{door}</main>
  return (
    <>
      <Fragment key={whoseIs(shown)}>{children(shown)}</Fragment>
      <Dialog
        open={!session}
        aria-label="Sign in again"
        className="dialog closed-door"
        backdrop={<div className="backdrop closed-door" />}
        hideOnEscape={false}
        hideOnInteractOutside={false}
        unmountOnHide
      >
        {door}
      </Dialog>
    </>
  )
}
