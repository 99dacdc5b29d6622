/** The screener language in the editor: fields, the parsed query, and where a mistake is. */
import { api, dataOf, PanjiApiError } from '../../wire/api.ts'
import { queries } from '../../wire/queries.ts'

export type Kind = 'company' | 'gst'
export const kinds: readonly Kind[] = ['company', 'gst']
export const kindOf = (text: string): Kind => (text === 'gst' ? 'gst' : 'company')

export type ScreenerField = Awaited<ReturnType<typeof readFields>>[number]

export async function readFields(type: Kind) {
  const { data } = await queries.fetchQuery({
    queryKey: ['screener fields', type],
    queryFn: async () => dataOf(await api.GET('/api/screener/fields', { params: { query: { type } } })),
    staleTime: 600_000,
  })
  return data
}

export interface Mistake {
  readonly message: string
  /** Counted from 0. */
  readonly from: number
  /** The text at the mistake, or other words where nothing is there. */
  readonly found: string
  readonly suggestion: string | undefined
}

export type Reading =
  | { readonly ok: true; readonly canonical: string; readonly estimatedRows: number }
  | { readonly ok: false; readonly mistake: Mistake }

/** @throws PanjiApiError for any error other than a mistake in the query. */
export async function explain(query: string, type: Kind): Promise<Reading> {
  try {
    const { canonical, estimated_rows } = dataOf(await api.POST('/api/screener/explain', { body: { query, type } }))
    return { ok: true, canonical, estimatedRows: estimated_rows }
  } catch (failure) {
    if (!(failure instanceof PanjiApiError) || failure.body.position === undefined) throw failure
    const { position, found = '', suggestion } = failure.body
    return {
      ok: false,
      mistake: { message: failure.message, from: position, found, suggestion: suggestion ?? undefined },
    }
  }
}

/** The end of the token that begins at a mistake: quoted text, a name, a number or an operator. */
export function mistakenWord(query: string, from: number): number {
  const [word = ''] = /^(?:"[^"]*"?|'[^']*'?|[\w.]+|[=<>!]+|\S)/.exec(query.slice(from)) ?? []
  return Math.min(query.length, from + Math.max(1, word.length))
}
