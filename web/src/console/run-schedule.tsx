/** Runs a schedule now: on the Schedules page, and wherever something late or failed would be fixed by it. */
import { api } from '../wire/api.ts'
import { OperatorAct } from './operator-act.tsx'

export function RunSchedule({ name, label = 'Run now' }: { readonly name: string; readonly label?: string }) {
  return (
    <OperatorAct
      label={label}
      title={`Run ${name} now?`}
      says={() => `${name} runs now.`}
      calls={() => api.POST('/admin/schedules/{name}/run', { params: { path: { name } }, body: {} })}
    >
      <p>A worker runs it at once. Its schedule does not change.</p>
    </OperatorAct>
  )
}
