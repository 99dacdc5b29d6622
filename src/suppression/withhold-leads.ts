/**
 * Removes suppressed data from frozen leads. A lead is built once and stays as it was bought, while the suppression
 * list grows. Suppressed contacts become null, directors are removed from their companies, and the lead of a director
 * or a sole proprietor who objected is left out. The whole nested record is searched, so new fields are covered, and so
 * are stored responses that contain leads.
 */
import type { LeadRow } from '../../config/lead-columns.ts'
import type { Queryable } from '../db/db.ts'
import type { EntityType } from '../domain/identity.ts'
import type { SuppressionKind } from '../domain/objection.ts'
import { markOf, type Personal, suppressedAmong } from './suppressed-among.ts'

interface Withholdable {
  readonly type: EntityType
  readonly row: LeadRow
  readonly fullData?: unknown
}

export async function withholdFromLeads<L extends Withholdable>(db: Queryable, leads: readonly L[]): Promise<L[]> {
  const held = await suppressedAmong(db, leads.flatMap(personalOf))
  if (held.size === 0) return [...leads]
  const isHeld = isAmong(held)
  return leads
    .filter(
      ({ type, row }) =>
        !isHeld(row[type === 'gst' ? 'GSTIN' : 'DIN'], type === 'gst' ? 'GSTIN' : 'DIN') || type === 'company',
    )
    .map((lead) => ({
      ...lead,
      row: shownRow(lead.row, isHeld),
      ...(lead.fullData === undefined ? {} : { fullData: shownPart(lead.fullData, isHeld) }),
    }))
}

/** A stored response as it may be returned today. */
export async function withholdFromAnswer(db: Queryable, answer: unknown): Promise<unknown> {
  const held = await suppressedAmong(db, personalWithin(answer, ''))
  return held.size === 0 ? answer : shownPart(answer, isAmong(held))
}

type IsHeld = (value: unknown, key: string) => boolean

function isAmong(held: ReadonlySet<string>): IsHeld {
  return (value, key) => {
    const personal = asPersonal(value, key)
    return personal !== undefined && held.has(markOf(personal.kind, personal.value))
  }
}

/** Eight digits are a person only in the place of a DIN; addresses and numbers are recognized anywhere. */
function asPersonal(value: unknown, key: string): Personal | undefined {
  if (typeof value !== 'string') return undefined
  const kind = kindOf(value, key)
  return kind && { kind, value }
}

function kindOf(value: string, key: string): SuppressionKind | undefined {
  if (/^DIN$/i.test(key) || key === 'DirectorDINs') return 'din'
  if (/^GSTIN$/i.test(key)) return value.charAt(5) === 'P' ? 'pan' : undefined
  if (/^[^\s@]+@[^\s@]+$/.test(value)) return 'email'
  return /^(Mobile|Phone|value)$/i.test(key) && /^\+?[0-9][0-9 ().-]{5,24}$/.test(value) ? 'mobile' : undefined
}

const splitList = (cell: unknown): string[] => (typeof cell === 'string' ? cell.split(';') : [])

const personalOf = ({ row, fullData }: Withholdable): Personal[] => personalWithin([row, fullData], '')

function personalWithin(part: unknown, key: string): Personal[] {
  if (Array.isArray(part)) return part.flatMap((element) => personalWithin(element, key))
  if (typeof part !== 'object' || part === null) {
    return (key === 'DirectorDINs' ? splitList(part) : [part]).flatMap((value) => asPersonal(value, key) ?? [])
  }
  return Object.entries(part).flatMap(([name, value]) => personalWithin(value, name))
}

/** The lists of directors have one element per position. */
function shownRow(row: LeadRow, isHeld: IsHeld): LeadRow {
  const cells: Record<string, string | number | null> = { ...row }
  for (const [column, cell] of Object.entries(row)) {
    if (column !== 'DirectorDINs' && isHeld(cell, column)) cells[column] = null
  }
  const dins = splitList(row['DirectorDINs'])
  const shown = dins.map((din) => !isHeld(din, 'DirectorDINs'))
  if (shown.every(Boolean)) return cells
  const listOf = (elements: readonly string[]) => {
    const kept = elements.filter((_, index) => shown[index])
    return kept.length === 0 ? null : kept.join(';')
  }
  cells['DirectorDINs'] = listOf(dins)
  cells['DirectorNames'] = listOf(splitList(row['DirectorNames']))
  cells['DirectorCount'] = shown.filter(Boolean).length
  // It may be the surname of the person who objected; the business replaces it, as for leads without a known person.
  cells['Last_Name'] = row['Company'] ?? row['CIN'] ?? null
  return cells
}

/** An object about a person who objected is removed as a whole; a single contact becomes null. */
function shownPart<P>(part: P, isHeld: IsHeld): P
function shownPart(part: unknown, isHeld: IsHeld): unknown {
  if (Array.isArray(part)) {
    return part.filter((element) => !isAboutHeld(element, isHeld)).map((element) => shownPart(element, isHeld))
  }
  if (typeof part !== 'object' || part === null) return part
  const members = 'DirectorDINs' in part ? shownRow(part as LeadRow, isHeld) : part
  return Object.fromEntries(
    Object.entries(members).map(([key, value]) => {
      const isGone = isHeld(value, key) || isAboutHeld(value, isHeld)
      return [key, isGone ? null : shownPart(value, isHeld)]
    }),
  )
}

function isAboutHeld(part: unknown, isHeld: IsHeld): boolean {
  if (typeof part !== 'object' || part === null || Array.isArray(part)) return false
  return ['DIN', 'GSTIN', 'value'].some((key) => isHeld((part as Readonly<Record<string, unknown>>)[key], key))
}
