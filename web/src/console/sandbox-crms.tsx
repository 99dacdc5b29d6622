/** The link to the sandbox CRMs, where delivered leads can be seen. It signs the operator in and works once. */
import { Card } from '../look/card.tsx'
import { Failure } from '../look/failure.tsx'
import { useAct } from '../look/use-act.ts'
import { api, dataOf } from '../wire/api.ts'
import { useMay } from './operator.ts'

export function SandboxCrms() {
  const may = useMay('operator')
  const open = useAct({
    mutationFn: async () => dataOf(await api.POST('/admin/sandbox/open', { body: {} })),
    onSuccess: ({ url }) => location.assign(url),
  })
  return (
    <Card
      title="Sandbox CRMs"
      tone="good"
      word="running"
      acts={
        may && (
          <button type="button" aria-disabled={open.isPending} onClick={() => open.mutate()}>
            {open.isPending ? 'Opening …' : 'See what arrived there'}
          </button>
        )
      }
    >
      <p>Stand-ins for real CRMs: records, calls, and faults to switch on.</p>
      {open.isError && <Failure of={open.error} />}
    </Card>
  )
}
