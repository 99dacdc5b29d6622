/** A state in a word and a colour; the word says it all where the colour is not seen. */
export type Tone = 'good' | 'warn' | 'bad' | 'plain'

export function Badge({ tone, children }: { readonly tone: Tone; readonly children: string }) {
  return <span className={`badge ${tone}`}>{children}</span>
}
