/**
 * Moves the focus to the page when the focused element disappears or is disabled, as a button does after its action;
 * otherwise keyboard users would start at the top again.
 */
export function focusOnPage(): void {
  if (document.activeElement !== document.body) return
  const place = document.querySelector<HTMLElement>('[role=dialog]:not([inert])') ?? document.getElementById('page')
  place?.focus({ preventScroll: true })
}
