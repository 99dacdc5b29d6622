/** How the header of a snapshot differs from that of the run before. */
import { Link } from 'wouter'

export interface Drift {
  readonly since_run: number
  readonly generation_before?: string
  readonly renamed: readonly { readonly field: string; readonly before: string; readonly after: string }[]
  readonly added: readonly string[]
  readonly removed: readonly string[]
}

export function DriftList({ of: drift }: { readonly of: Drift }) {
  return (
    <ul className="timeline">
      <li>
        Against <Link href={`/runs/${drift.since_run}`}>{`run ${drift.since_run}`}</Link>
        {drift.generation_before && `, whose header was of the kind ${drift.generation_before}`}
      </li>
      {drift.renamed.map(({ field, before, after }) => (
        <li key={field}>
          <del>{before}</del> is now called <ins>{after}</ins> and holds the {field.replaceAll('_', ' ')}
        </li>
      ))}
      {drift.added.map((name) => (
        <li key={name}>
          <ins>{name}</ins> came
        </li>
      ))}
      {drift.removed.map((name) => (
        <li key={name}>
          <del>{name}</del> went
        </li>
      ))}
    </ul>
  )
}
