/**
 * The person of a lead, which every CRM requires.
 *
 * For a director it is the director. For a company it is one of the current directors with a known name who is
 * neither nominee nor alternate nor the representative of a body corporate: first by office (managing, whole-time and
 * executive, any other, additional), then the longest in office, then the lowest DIN. For a proprietorship it is the
 * legal name. Others have no person; their business is used instead.
 */
import { type PersonName, splitName } from '../domain/person-name.ts'
import type { BoardMember, DirectorFields, GstFields, LeadRecord } from './lead-record.ts'

export interface Person extends PersonName {
  /** As the register writes it. */
  readonly name: string
  readonly DIN: string | null
  readonly designation: string | null
}

export function personOf(lead: LeadRecord): Person | null {
  switch (lead.type) {
    case 'company':
      return personOfBoard(lead.record.directors)
    case 'director':
      return personOfDirector(lead.record.directors[0])
    case 'gst':
      return proprietor(lead.record.gst[0])
  }
}

const standsForAnother = /nominee|alternate|body corporate/i
const ranks: readonly RegExp[] = [
  /managing/i,
  /whole.?time|executive|chief|\bCEO\b/i,
  /^(?!.*additional).*(?:director|partner)/i,
  /additional/i,
]
const rankOf = (designation: string): number => {
  const rank = ranks.findIndex((pattern) => pattern.test(designation))
  return rank === -1 ? ranks.length : rank
}

function personOfBoard(board: readonly BoardMember[]): Person | null {
  const candidates = board.flatMap((member) => {
    const split = standsForAnother.test(member.Designation) ? undefined : splitName(member.Name ?? '')
    return split
      ? [
          {
            ...split,
            name: member.Name ?? '',
            DIN: member.DIN,
            designation: member.Designation,
            since: member.dateOfAppointment ?? '9',
          },
        ]
      : []
  })
  const [best] = candidates.toSorted(
    (a, b) =>
      rankOf(a.designation) - rankOf(b.designation) || compare(a.since, b.since) || compare(a.DIN ?? '', b.DIN ?? ''),
  )
  if (!best) return null
  const { since: _, ...person } = best
  return person
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

/** The register's own name parts are used if it has them; parts that it derived from the full name are split again. */
function personOfDirector(director: DirectorFields): Person | null {
  const { Name, firstName, middleName, lastName, DIN } = director
  const words = Name.split(' ')
  const wereCut = (firstName ?? '') === words[0] && (lastName ?? '') === (words.length > 1 ? words.at(-1) : '')
  const split = splitName(Name)
  const own = !lastName || wereCut ? undefined : ownParts(firstName, middleName, lastName)
  const person = own ?? split
  return person ? { ...person, name: Name, DIN, designation: null } : null
}

function ownParts(first: string | null, middle: string | null, last: string): PersonName | undefined {
  const inFront = first === null ? undefined : splitName(`${first} ${last}`)
  if (!inFront) return undefined
  // An honorific in the first-name cell is not part of the name.
  const bare = inFront.honorific === null ? first : (first ?? '').slice(inFront.honorific.length).trim() || null
  return { honorific: inFront.honorific, first: bare, middle, last, suffix: null }
}

function proprietor({ ConstitutionBusiness, LegalName }: GstFields): Person | null {
  if (!/proprietor/i.test(ConstitutionBusiness ?? '')) return null
  const split = splitName(LegalName ?? '')
  return split ? { ...split, name: LegalName ?? '', DIN: null, designation: 'Proprietor' } : null
}
