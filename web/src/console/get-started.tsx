/**
 * First steps. With the sample world: follow a lead from the register to a CRM, as the sample account. Without it: what
 * an installation needs, in order, until its first file is imported.
 */
import { Link } from 'wouter'
import { Card } from '../look/card.tsx'
import { Command } from '../look/command.tsx'
import { Failure } from '../look/failure.tsx'
import { indianDay } from '../look/indian-day.ts'
import { useAct } from '../look/use-act.ts'
import { api, dataOf } from '../wire/api.ts'
import { signIn } from '../wire/session.ts'
import { useMay } from './operator.ts'
import type { Overview } from './overview.ts'

const sampleAccount = 'demo@example.com'

export function GetStarted({ overview }: { readonly overview: Overview }) {
  const may = useMay('operator')
  if (!may) return null
  if (overview.sandbox_crms) return <WalkThrough />
  return overview.sources.some(({ taken_in_at }) => taken_in_at !== null) ? null : <FirstSteps />
}

function WalkThrough() {
  const enter = useAct({ mutationFn: enterAsSample, onSuccess: () => location.assign('/app') })
  return (
    <Card
      title="Get started"
      tone="plain"
      word="see a lead arrive"
      acts={
        <button type="button" className="main" aria-disabled={enter.isPending} onClick={() => enter.mutate()}>
          {enter.isPending ? 'Signing in …' : `Go in as ${sampleAccount}`}
        </button>
      }
    >
      <p>
        Choose a new registration, order it, and see its lead in a CRM: five minutes at most, and nothing to type. What
        is done there is done by the account of the sample world, with a key that ends tomorrow.
      </p>
      {enter.isError && <Failure of={enter.error} />}
    </Card>
  )
}

/** The key is used only here and shown to nobody; the account sees it in its key list by name. */
async function enterAsSample(): Promise<void> {
  const { data } = dataOf(await api.GET('/admin/users', { params: { query: { search: sampleAccount, limit: 1 } } }))
  const [account] = data
  if (!account) throw new Error('the sample world has no account')
  const tomorrow = indianDay(new Date(Date.now() + 86_400_000))
  const { api_key } = dataOf(
    await api.POST('/admin/users/{id}/keys', {
      params: { path: { id: account.user_id } },
      body: { name: 'a walk from the console', expires_at: tomorrow },
    }),
  )
  await signIn('/app', { api_key })
}

function FirstSteps() {
  return (
    <Card title="Get started" tone="plain" word="nothing imported yet">
      <ol>
        <li>
          <Link href="/import">Import the first file</Link>, or <Link href="/schedules">let it be fetched</Link>.
        </li>
        <li>
          Make an account: <Command text="npx panji account create --email EMAIL --plan premium" />
        </li>
        <li>
          Grant it feeds and credits on <Link href="/accounts">its page</Link>.
        </li>
        <li>Its people sign in at /app with its key, and connect their CRM there.</li>
      </ol>
    </Card>
  )
}
