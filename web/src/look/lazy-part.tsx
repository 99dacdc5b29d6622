/**
 * A part of a page whose script is fetched when it is first drawn. Where that does not come, as while Panji is started again,
 * the page goes on without the part: browsers ask for a script that did not come only when the page is loaded again.
 */
import { type ComponentType, lazy } from 'react'

/** @param instead stands there without the script. */
export const lazyPart = <Props extends object>(
  load: () => Promise<{ readonly default: ComponentType<Props> }>,
  instead: ComponentType<Props> = NotLoaded,
) => lazy(() => load().catch(() => ({ default: instead })))

function NotLoaded() {
  return (
    <p role="alert">
      This part of the page did not load. Panji may be restarting.{' '}
      <button type="button" onClick={() => location.reload()}>
        Reload the page
      </button>
    </p>
  )
}
