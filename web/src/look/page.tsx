/** The frame of one page: its title in the tab and as the heading, which gets the focus after navigation. */
import { type ReactNode, useEffect, useRef } from 'react'

export function Page(props: {
  readonly title: string
  readonly lead?: ReactNode
  readonly tabs?: ReactNode
  readonly acts?: ReactNode
  readonly children: ReactNode
}) {
  const { title, lead, tabs, acts, children } = props
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    document.title = `${title} · Panji`
    heading.current?.focus({ preventScroll: true })
  }, [title])
  return (
    <>
      <header className="page-head">
        <h1 ref={heading} tabIndex={-1}>
          {title}
        </h1>
        {acts && <div className="acts">{acts}</div>}
      </header>
      {tabs}
      {lead && <p className="lead">{lead}</p>}
      {children}
    </>
  )
}
