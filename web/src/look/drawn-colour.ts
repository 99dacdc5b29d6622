/** Colours for what is drawn on a canvas, which knows no variables of a style sheet. */

/** @param name such as `--main`; as the theme of now has it. */
export function drawnColour(element: HTMLElement, name: string): string {
  const probe = document.createElement('span')
  probe.style.color = `var(${name})`
  element.append(probe)
  const { color } = getComputedStyle(probe)
  probe.remove()
  return color
}

/** Calls when the system or somebody at the menu chose another theme. @returns how to stop it. */
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
