/** Why a run failed. */
import { plain } from '../../look/facts.tsx'
import type { Run } from './run-reads.ts'

export type Members = Readonly<Record<string, unknown>>

export const isMembers = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export function RunFailure({ run }: { readonly run: Run }) {
  const { status, error } = run
  if (status === 'needs_approval' || !isMembers(error)) return null
  const { code, message, reasons } = error
  const said = plain(message ?? error)
  const further = Array.isArray(reasons) ? reasons.map(String).filter((reason) => !said.includes(reason)) : []
  return (
    <div className="failure" role="alert">
      <p>{said}</p>
      {further.map((reason) => (
        <p key={reason}>{reason}</p>
      ))}
      {typeof code === 'string' && (
        <p className="faint">
          <a href={`/docs/errors#${code}`}>{code}</a>
        </p>
      )}
    </div>
  )
}
