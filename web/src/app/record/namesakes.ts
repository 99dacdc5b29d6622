/** Records of the other register under the same legal name: the registers themselves name no link between the two. */
import { search } from '../search/found.ts'
import type { Neighbour } from './relation-graph.tsx'

const shownMax = 12

/** @returns none for a name that no text of the language can hold. */
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
