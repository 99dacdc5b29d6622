/** A secret that the server shows once: it can be selected and copied. */
import { useState } from 'react'

export function SecretOnce({ secret, what }: { readonly secret: string; readonly what: string }) {
  const [copied, setCopied] = useState(false)
  const copy = async () => {
    await navigator.clipboard.writeText(secret)
    setCopied(true)
  }
  return (
    <div className="secret">
      <p>This is {what}. It is shown only once: save it now.</p>
      <output>
        <code>{secret}</code>
      </output>
      {/* The clipboard API is missing on pages served over plain http from another machine. */}
      {navigator.clipboard && (
        <button type="button" onClick={() => void copy()}>
          {copied ? 'Copied' : 'Copy'}
        </button>
      )}
    </div>
  )
}
