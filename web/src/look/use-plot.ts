/** A plot within its element, as wide as that is, drawn anew when what it tells changes. */
import { type RefObject, useEffect, useRef } from 'react'
import type uPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'

/** @param told what the plot shows, as JSON. @param draw a function of its module, so that a render draws nothing anew. */
export function usePlot<Told>(
  told: string,
  height: number,
  draw: (element: HTMLElement, told: Told) => uPlot,
): RefObject<HTMLDivElement | null> {
  const host = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const element = host.current
    if (!element) return
    const plot = draw(element, JSON.parse(told) as Told)
    const follow = new ResizeObserver(() => plot.setSize({ width: element.clientWidth, height }))
    follow.observe(element)
    return () => {
      follow.disconnect()
      plot.destroy()
    }
  }, [told, height, draw])
  return host
}
