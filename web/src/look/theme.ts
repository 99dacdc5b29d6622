/** Light or dark as the system says, until somebody chooses on the page; the choice stays in this browser. */
export type Theme = 'system' | 'light' | 'dark'

const key = 'panji-theme'

export function chosenTheme(): Theme {
  const kept = localStorage.getItem(key)
  return kept === 'light' || kept === 'dark' ? kept : 'system'
}

export function applyTheme(theme: Theme): void {
  if (theme === 'system') {
    localStorage.removeItem(key)
    delete document.documentElement.dataset['theme']
  } else {
    localStorage.setItem(key, theme)
    document.documentElement.dataset['theme'] = theme
  }
}
