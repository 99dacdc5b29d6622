/** Records of the other register with the same legal name: the registers themselves do not link the two. */
import { search } from '../search/found.ts'
import type { Neighbour } from './relation-graph.tsx'

const shownMax = 12

/** @returns an empty list for a name that the query language cannot quote. */
export async function readNamesakes(type: 'company' | 'gst', name: string): Promise<readonly Neighbour[]> {
  const quote = ["'", '"'].find((each) => !name.includes(each))
  if (quote === undefined || name.trim() === '') return []
  const other = type === 'company' ? 'gst' : 'company'
  const field = other === 'gst' ? 'LegalName' : 'companyName'
  const { hits } = await search(`${field} == ${quote}${name}${quote}`, other, 1, shownMax)
  const role = other === 'gst' ? 'GST registration of that legal name' : 'company of that name'
  return hits.map(({ type: kind, id, name: called, state }) => ({
    type: kind,
    id,
    name: other === 'gst' ? id : called,
    role: state === null ? role : `${role}, ${state}`,
  }))
}
