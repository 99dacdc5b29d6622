/**
 * What a button in a row shows above or below its list. It takes the focus, which brings it into sight; closing it
 * returns to the button.
 */
import { type ReactNode, useEffect, useRef } from 'react'
import { focusOnPage } from './focus-on-page.ts'

/** Use one key per row, so that another row's detail takes the focus, too. */
export function Detail(props: { readonly title: string; readonly close: () => void; readonly children: ReactNode }) {
  const { title, close, children } = props
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    const opener = document.activeElement
    heading.current?.focus()
    return () => {
      if (document.activeElement !== document.body) return
      if (opener instanceof HTMLElement && opener.isConnected) opener.focus()
      else focusOnPage()
    }
  }, [])
  return (
    <section aria-label={title}>
      <div className="page-head">
        <h2 ref={heading} tabIndex={-1}>
          {title}
        </h2>
        <button type="button" onClick={close}>
          Close
        </button>
      </div>
      {children}
    </section>
  )
}
