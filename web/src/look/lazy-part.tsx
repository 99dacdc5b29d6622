/**
 * A part of a page whose script is loaded when it is first rendered. If that fails, as during a restart, the page works
 * without it: browsers retry a failed script only when the page is reloaded.
 */
import { type ComponentType, lazy } from 'react'

/** @param instead is shown without the script. */
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
