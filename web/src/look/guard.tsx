/**
 * An error boundary for a page that fails to render or whose script cannot be loaded; other pages keep working. A
 * missing script is loaded again once Panji answers.
 */
import { Component, type ReactNode, useEffect } from 'react'

interface State {
  readonly failed: boolean
  readonly isWithoutScript?: boolean
}

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
        <h1>This page could not be shown</h1>
        {this.state.isWithoutScript ? (
          <>
            <p>Its script did not load. Panji may be restarting, or was updated since this page was opened.</p>
            <LoadOnceAnswered />
          </>
        ) : (
          <p>Something on it failed. If it fails again, tell the operator of this Panji.</p>
        )}
        <button type="button" onClick={() => location.reload()}>
          Reload it
        </button>
      </div>
    )
  }
}

const askEveryMs = 3_000
/** Prevents endless reloads when a script is permanently missing. */
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
  return <p>It reloads as soon as Panji answers.</p>
}
