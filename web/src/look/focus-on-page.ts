/**
 * Where what had the focus has gone, as a button with what it did, or was disabled while its act was under way: whoever goes by
 * keyboard would begin at the top again.
 */
export function focusOnPage(): void {
  if (document.activeElement !== document.body) return
  const place = document.querySelector<HTMLElement>('[role=dialog]:not([inert])') ?? document.getElementById('page')
  place?.focus({ preventScroll: true })
}
