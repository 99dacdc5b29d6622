/**
 * How many leads a response holds at a time: larger statements cost less per lead, but the process holds a slice for
 * each open response. So few responses read large slices, and many read small ones.
 */
import type { LeadSlice } from './read-leads.ts'

const rows = { least: 100, most: 300, ofAll: 900 } as const

/** @param open responses of the process in progress, including this one. */
export function sliceLimit(parts: LeadSlice['parts'], open: number): number {
  const limit = Math.max(rows.least, Math.min(rows.most, Math.floor(rows.ofAll / open)))
  // Rows alone take half the memory.
  return parts === 'rows' ? limit : Math.floor(limit / 2)
}
