/** How a snapshot's header differs from that of the previous run. */
import { Link } from 'wouter'

export interface Drift {
  readonly since_run: number
  readonly generation_before?: string
  readonly renamed: readonly { readonly field: string; readonly before: string; readonly after: string }[]
  readonly added: readonly string[]
  readonly removed: readonly string[]
  /** Columns unknown to the source: their names are untrusted file content, so they are counted and not shown. */
  readonly unknown_added: number
  readonly unknown_removed: number
}

export function DriftList({ of: drift }: { readonly of: Drift }) {
  return (
    <ul className="timeline">
      <li>
        Compared with <Link href={`/runs/${drift.since_run}`}>{`import ${drift.since_run}`}</Link>
        {drift.generation_before && `, whose header was of the kind ${drift.generation_before}`}
      </li>
      {drift.renamed.map(({ field, before, after }) => (
        <li key={field}>
          <del>{before}</del> is now called <ins>{after}</ins> and holds the {field.replaceAll('_', ' ')}
        </li>
      ))}
      {drift.added.map((name) => (
        <li key={name}>
          <ins>{name}</ins> added
        </li>
      ))}
      {drift.removed.map((name) => (
        <li key={name}>
          <del>{name}</del> removed
        </li>
      ))}
      {drift.unknown_added > 0 && <li>Unknown columns added: {drift.unknown_added}</li>}
      {drift.unknown_removed > 0 && <li>Unknown columns removed: {drift.unknown_removed}</li>}
    </ul>
  )
}
