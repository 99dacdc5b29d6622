/** What both applications start with: theme, density, cache, and base path. */
import { QueryClientProvider } from '@tanstack/react-query'
import { type ReactNode, StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { Router } from 'wouter'
import { queries } from '../wire/queries.ts'
import type { BasePath } from '../wire/session.ts'
import { applyAppearance, chosenAppearance } from './theme.ts'
import '../style/panji.css'

export function start(base: BasePath, application: ReactNode): void {
  applyAppearance(chosenAppearance())
  const root = document.getElementById('root')
  if (!root) throw new Error('the page has no place to draw in')
  createRoot(root).render(
    <StrictMode>
      <QueryClientProvider client={queries}>
        <Router base={base}>{application}</Router>
      </QueryClientProvider>
    </StrictMode>,
  )
}
