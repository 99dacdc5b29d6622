/** A command to type at the machine, for what the pages cannot do from a browser; it is copied with one press. */
import { useState } from 'react'

export function Command({ text }: { readonly text: string }) {
  const [copied, setCopied] = useState(false)
  const copy = async () => {
    await navigator.clipboard.writeText(text)
    setCopied(true)
  }
  return (
    <div className="command">
      <code>{text}</code>
      {/* The clipboard is missing where the page came by plain http from another machine. */}
      {navigator.clipboard && (
        <button type="button" onClick={() => void copy()} aria-label={`Copy: ${text}`}>
          {copied ? 'Copied' : 'Copy'}
        </button>
      )}
    </div>
  )
}
