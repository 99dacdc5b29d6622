/** A terminal command for what cannot be done in a browser, with a button that copies it. */
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
      {/* The clipboard API is missing on pages served over plain http from another machine. */}
      {navigator.clipboard && (
        <button type="button" onClick={() => void copy()} aria-label={`Copy: ${text}`}>
          {copied ? 'Copied' : 'Copy'}
        </button>
      )}
    </div>
  )
}
