/**
 * How many leads an answer holds at once: a statement costs less for each lead the more it brings, and a process holds a slice for
 * each answer that is open. So few answers read large slices, and many read small ones.
 */
import type { LeadSlice } from './read-leads.ts'

const rows = { least: 100, most: 300, ofAll: 900 } as const

/** @param open answers of the process that are under way, this one among them. */
export function sliceLimit(parts: LeadSlice['parts'], open: number): number {
  const limit = Math.max(rows.least, Math.min(rows.most, Math.floor(rows.ofAll / open)))
  // Rows alone weigh half.
  return parts === 'rows' ? limit : Math.floor(limit / 2)
}
