/**
 * How a table stands in the width that it is given, so that none of it is cut: each row in one line where that fits, else with words
 * that wrap, else, and always on a phone, each row as a card. It is measured when its rows or its width change.
 */
import { useLayoutEffect, useRef } from 'react'

const fits = ['line', 'wrap', 'cards'] as const
const onPhone = '(max-width: 700px)'

/** @returns what the frame of the table is known by. */
export function useFit() {
  const frame = useRef<HTMLElement>(null)
  // After every drawing: what stands in the cells is drawn with the rows.
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
    // What a cell asks the API for comes later, and may be wide.
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
