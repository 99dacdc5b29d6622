/**
 * A tour of five stops for a first visit to the sample world, shown on top of the real pages: every press is real, and
 * it ends with a lead in a sandbox CRM. It can be left at any time, and does not reappear in this browser.
 */
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { Link, useLocation } from 'wouter'
import { focusOnPage } from '../../look/focus-on-page.ts'
import { readSignInWays } from '../../wire/session.ts'
import { useMay } from '../account.ts'
import { stopAt, stops } from './stops.ts'

const place = 'panji-tour'
const over = 'over'
const last = stops.length - 1

export function Tour() {
  const [path] = useLocation()
  const [kept, setKept] = useState(() => localStorage.getItem(place) ?? '0')
  const isOver = kept === over
  const mayOrder = useMay('order')
  const ways = useQuery({ queryKey: ['sign-in ways'], queryFn: readSignInWays, enabled: !isOver && mayOrder })
  const reached = stopAt(path, isOver ? last : Number(kept))
  const keep = (next: string) => {
    localStorage.setItem(place, next)
    setKept(next)
  }
  useEffect(() => {
    if (isOver) return
    localStorage.setItem(place, String(reached))
    setKept(String(reached))
    if (reached !== last) return
    // The CRM's record opens in place of this page.
    const leave = () => localStorage.setItem(place, over)
    addEventListener('pagehide', leave)
    return () => removeEventListener('pagehide', leave)
  }, [isOver, reached])
  const stop = stops[reached]
  if (isOver || !mayOrder || stop === undefined || ways.data?.sandbox_crms !== true) return null
  const next = stops[reached + 1]
  const isHere = stop.at(path)
  return (
    <aside className="tour" aria-label="Tour">
      <p>
        <strong>
          {reached + 1} of {stops.length} · {stop.title}
        </strong>{' '}
        {isHere ? stop.says : 'You left the tour’s page.'}
      </p>
      <div className="acts">
        {!isHere && stop.href !== undefined && (
          <Link className="button" href={stop.href}>
            Back to {stop.title}
          </Link>
        )}
        {isHere && next?.href !== undefined && (
          <Link className="button main" href={next.href}>
            Next: {next.title}
          </Link>
        )}
        <button
          type="button"
          onClick={() => {
            keep(over)
            requestAnimationFrame(focusOnPage)
          }}
        >
          {reached === last ? 'End the tour' : 'Skip the tour'}
        </button>
      </div>
    </aside>
  )
}
