/** A status as a word and a colour; the word alone is sufficient. */
export type Tone = 'good' | 'warn' | 'bad' | 'plain'

export function Badge({ tone, children }: { readonly tone: Tone; readonly children: string }) {
  return <span className={`badge ${tone}`}>{children}</span>
}
