/** A page that fails to draw, or whose script cannot be fetched, says so; the pages beside it go on. */
import { Component, type ReactNode } from 'react'

interface State {
  readonly failed: boolean
}

export class Guard extends Component<{ readonly children: ReactNode }, State> {
  override state: State = { failed: false }

  static getDerivedStateFromError(): State {
    return { failed: true }
  }

  override render(): ReactNode {
    if (!this.state.failed) return this.props.children
    return (
      <div role="alert" className="failure">
        <h1>This page could not be drawn</h1>
        <p>Its script did not come. Panji may be starting again, or was renewed since this page was opened.</p>
        <button type="button" onClick={() => location.reload()}>
          Load it again
        </button>
      </div>
    )
  }
}
