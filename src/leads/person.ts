/**
 * The person of a lead, which every CRM demands.
 *
 * A director is the person. Of a company it is one of the present directors by this rule: those whose name is known and
 * who are neither nominee nor alternate nor the representative of a body corporate; of them by office (managing, whole-time
 * and executive, any other, additional), then the longest in office, then the lowest DIN. A proprietor is the legal name of
 * a proprietorship. Others have no person; their business stands in for it.
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

/** The register's own parts count where it has them; parts that were cut from the full name are cut anew. */
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
  // An honorific in the cell of the first name is none of it.
  const bare = inFront.honorific === null ? first : (first ?? '').slice(inFront.honorific.length).trim() || null
  return { honorific: inFront.honorific, first: bare, middle, last, suffix: null }
}

function proprietor({ ConstitutionBusiness, LegalName }: GstFields): Person | null {
  if (!/proprietor/i.test(ConstitutionBusiness ?? '')) return null
  const split = splitName(LegalName ?? '')
  return split ? { ...split, name: LegalName ?? '', DIN: null, designation: 'Proprietor' } : null
}
