/** A plot as wide as its element, drawn again when its data or the theme changes. */
import { type RefObject, useEffect, useRef } from 'react'
import type uPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'
import { onAnotherTheme } from './drawn-colour.ts'

/** @param data the data as JSON. @param draw a module-level function, so that a re-render does not redraw. */
export function usePlot<Data>(
  data: string,
  height: number,
  draw: (element: HTMLElement, data: Data) => uPlot,
): RefObject<HTMLDivElement | null> {
  const host = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const element = host.current
    if (!element) return
    let plot = draw(element, JSON.parse(data) as Data)
    const forget = onAnotherTheme(() => {
      plot.destroy()
      plot = draw(element, JSON.parse(data) as Data)
    })
    const follow = new ResizeObserver(() => plot.setSize({ width: element.clientWidth, height }))
    follow.observe(element)
    return () => {
      follow.disconnect()
      forget()
      plot.destroy()
    }
  }, [data, height, draw])
  return host
}
