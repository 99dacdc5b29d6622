/**
 * A page that fails to draw, or whose script cannot be fetched, says so; the pages beside it go on. One without its script is
 * loaded again once Panji answers.
 */
import { Component, type ReactNode, useEffect } from 'react'

interface State {
  readonly failed: boolean
  readonly isWithoutScript?: boolean
}

/** A script that did not come. */
export class ScriptMissing extends Error {}

export class Guard extends Component<{ readonly children: ReactNode }, State> {
  override state: State = { failed: false }

  static getDerivedStateFromError(failure: unknown): State {
    return { failed: true, isWithoutScript: failure instanceof ScriptMissing }
  }

  override render(): ReactNode {
    if (!this.state.failed) return this.props.children
    return (
      <div role="alert" className="failure">
        <h1>This page could not be drawn</h1>
        {this.state.isWithoutScript ? (
          <>
            <p>Its script did not come. Panji may be starting again, or was renewed since this page was opened.</p>
            <LoadOnceAnswered />
          </>
        ) : (
          <p>Something on it failed. Where it fails again, say so to whoever runs this Panji.</p>
        )}
        <button type="button" onClick={() => location.reload()}>
          Load it again
        </button>
      </div>
    )
  }
}

const askEveryMs = 3_000
/** A script that is missing for good would load its page again and again. */
const loadEveryMs = 10_000

function LoadOnceAnswered() {
  useEffect(() => {
    const ask = async () => {
      if (performance.now() < loadEveryMs) return
      const reply = await fetch(location.pathname, { method: 'HEAD' }).catch(() => undefined)
      if (reply?.ok) location.reload()
    }
    const asking = setInterval(() => void ask(), askEveryMs)
    return () => clearInterval(asking)
  }, [])
  return <p>It is loaded again as soon as Panji answers.</p>
}
