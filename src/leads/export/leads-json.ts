/**
 * Writes leads as one JSON document, slice by slice as they are read: the members of the head, the list of leads, and
 * a tail with what is known once they were counted.
 */
import type { ShownLead } from '../read-leads.ts'
import { ownTurn } from './turn.ts'

export interface JsonShape {
  readonly head: Readonly<Record<string, unknown>>
  readonly list: string
  readonly shape: (lead: ShownLead) => unknown
  readonly tail?: (count: number) => Readonly<Record<string, unknown>>
}

/** Small enough that other requests of the process are served between two chunks. */
const leadsPerChunk = 20

export async function* leadsJson(
  slices: AsyncIterable<readonly ShownLead[]>,
  { head, list, shape, tail = () => ({}) }: JsonShape,
): AsyncGenerator<string> {
  yield `${JSON.stringify(head).slice(0, -1)},${JSON.stringify(list)}:[`
  let count = 0
  for await (const slice of slices) {
    for (let at = 0; at < slice.length; at += leadsPerChunk) {
      await ownTurn()
      const leads = slice.slice(at, at + leadsPerChunk)
      const text = leads.map((lead) => JSON.stringify(shape(lead))).join(',')
      yield count === 0 ? text : `,${text}`
      count += leads.length
    }
  }
  yield `]${JSON.stringify(tail(count))
    .replace(/^\{(?!\})/, ',')
    .replace(/^\{\}/, '}')}`
}
