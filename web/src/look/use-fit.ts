/**
 * Fits a table into its width without clipping: one line per row if that fits, otherwise wrapped text, otherwise, and
 * always on a phone, each row as a card. It is measured when the rows or the width change.
 */
import { useLayoutEffect, useRef } from 'react'

const fits = ['line', 'wrap', 'cards'] as const
/** In em, for who chose large letters has a phone's room in a wider window. As in style/phone.css. */
export const onPhone = '(max-width: 43.75em)'

export function useFit() {
  const frame = useRef<HTMLElement>(null)
  // After every render, since cells are rendered with the rows.
  useLayoutEffect(() => {
    if (frame.current) layOut(frame.current)
  })
  useLayoutEffect(() => {
    const { current } = frame
    if (!current) return
    let width = current.clientWidth
    const observer = new ResizeObserver(() => {
      if (current.clientWidth === width && !isCut(current)) return
      width = current.clientWidth
      layOut(current)
    })
    observer.observe(current)
    // Cells that load data later may become wider.
    const table = current.querySelector('table')
    if (table) observer.observe(table)
    return () => observer.disconnect()
  }, [])
  return frame
}

const isCut = ({ scrollWidth, clientWidth }: HTMLElement): boolean => scrollWidth > clientWidth

function layOut(frame: HTMLElement): void {
  const tried = matchMedia(onPhone).matches ? fits.slice(-1) : fits
  for (const each of tried) {
    frame.dataset['fit'] = each
    if (!isCut(frame)) return
  }
}
