/**
 * List shortcuts: j goes to the next row and k to the previous one, x ticks its checkbox, Enter opens it, and / goes to
 * the page's search. They are off while somebody types or a dialog is open, and the Display menu switches them off
 * (WCAG 2.1.4).
 */
import { useEffect } from 'react'

export function useRowKeys(): void {
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || isElsewhere(event.target)) return
      const act = Object.hasOwn(acts, event.key) ? acts[event.key] : undefined
      if (act?.() === true) event.preventDefault()
    }
    addEventListener('keydown', listen)
    return () => removeEventListener('keydown', listen)
  }, [])
}

const isElsewhere = (target: EventTarget | null): boolean =>
  document.documentElement.dataset['keys'] === 'off' ||
  document.querySelector('[role="dialog"], [role="menu"]:not([hidden])') !== null ||
  (target instanceof HTMLElement && (target.isContentEditable || target.matches(typedInto)))

/** Checkboxes take no letters. */
const typedInto = 'input:not([type="checkbox"], [type="radio"], [type="button"]), textarea, select'

/** Each returns whether there was something to do. */
const acts: Readonly<Record<string, () => boolean>> = {
  j: () => goTo(1),
  k: () => goTo(-1),
  x: () => press('input[type="checkbox"]'),
  // A focused element inside the row, such as a link, is opened by the browser.
  Enter: () => document.activeElement === row() && press('a, button.as-link'),
  '/': () => focusOn(document.querySelector('main input[type="search"]')),
}

const rows = () => [...document.querySelectorAll<HTMLElement>('main tbody tr')]
const row = () => document.activeElement?.closest<HTMLElement>('main tbody tr') ?? null

function goTo(step: 1 | -1): boolean {
  const all = rows()
  const here = row()
  const at = here === null ? -1 : all.indexOf(here)
  return focusOn(all[Math.max(0, Math.min(all.length - 1, at + step))] ?? null)
}

function press(what: string): boolean {
  const found = row()?.querySelector<HTMLElement>(what)
  found?.click()
  return found !== undefined && found !== null
}

function focusOn(found: Element | null): boolean {
  if (!(found instanceof HTMLElement)) return false
  found.focus()
  found.scrollIntoView({ block: 'nearest' })
  return true
}
