/** Colours for a canvas, which cannot use CSS variables. */

/** @param name such as `--main`; the value in the current theme. */
export function drawnColour(element: HTMLElement, name: string): string {
  const probe = document.createElement('span')
  probe.style.color = `var(${name})`
  element.append(probe)
  const { color } = getComputedStyle(probe)
  probe.remove()
  return color
}

/** Calls back when the theme changes, by the system or in the menu. @returns a function that unsubscribes. */
export function onAnotherTheme(call: () => void): () => void {
  const system = matchMedia('(prefers-color-scheme: dark)')
  const chosen = new MutationObserver(call)
  system.addEventListener('change', call)
  chosen.observe(document.documentElement, { attributeFilter: ['data-theme'] })
  return () => {
    system.removeEventListener('change', call)
    chosen.disconnect()
  }
}
