/** The next runs of a schedule. */
import { Moment } from '../look/moment.tsx'

export function NextRuns({ at: [next, ...later] }: { readonly at: readonly string[] }) {
  if (next === undefined) return <>–</>
  return (
    <>
      <Moment at={next} />
      {later.map((at) => (
        <div key={at} className="faint">
          <Moment at={at} />
        </div>
      ))}
    </>
  )
}
