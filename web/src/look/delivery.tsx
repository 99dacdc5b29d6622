/** A delivery for buyers and operators: its outcome, and its record in the CRM. */
import type { components } from '../../../client/api-types.ts'
import type { Tone } from './badge.tsx'
import { Failure } from './failure.tsx'
import { Instant } from './moment.tsx'
import { useAct } from './use-act.ts'

export const outcomeTones = {
  created: 'good',
  updated: 'good',
  unchanged: 'good',
  rejected: 'bad',
  pending: 'plain',
  unknown: 'warn',
} as const satisfies Record<string, Tone>

export const outcomes = Object.keys(outcomeTones) as (keyof typeof outcomeTones)[]

/** The CRM's response or what holds the delivery up, and the next try. */
export function Said(props: {
  readonly of: Pick<components['schemas']['Delivery'], 'code' | 'field' | 'message' | 'next_attempt_at'>
}) {
  const { code, field, message, next_attempt_at: again } = props.of
  if (message === null && code === null && again === null) return <>–</>
  return (
    <>
      {field && `${field}: `}
      {message ?? code} {message && code && <code className="faint">{code}</code>}
      {again && (
        <>
          {' '}
          Next try at <Instant at={again} />.
        </>
      )}
    </>
  )
}

/** A sandbox CRM needs a sign-in link from the API; a real CRM has its own sign-in. */
const isSandboxPage = (url: string) => URL.canParse(url) && /^\/pages\/[a-z-]+\/records\//.test(new URL(url).pathname)

/** A link to the record in its CRM, or its id where it has no page. */
export function CrmLink(props: {
  readonly id: string | null
  readonly url: string | null
  /** The name of the CRM's kind. */
  readonly crm?: string | undefined
  /** @returns an address that signs this browser in; undefined for readers who may not request one. */
  readonly enter: (() => Promise<{ readonly url: string }>) | undefined
}) {
  const { id, url, crm = 'the CRM', enter } = props
  const open = useAct({
    mutationFn: async () => enter?.(),
    onSuccess: (link) => link && location.assign(link.url),
  })
  if (!url) return <>{id ?? '–'}</>
  if (isSandboxPage(url) && !enter) return <>{id ?? '–'}</>
  const name = `Open in ${crm}`
  if (!isSandboxPage(url)) {
    return (
      <a href={url} rel="noreferrer">
        {name}
      </a>
    )
  }
  return (
    <>
      <button type="button" className="as-link" aria-disabled={open.isPending} onClick={() => open.mutate()}>
        {open.isPending ? 'Opening …' : name}
      </button>
      {open.isError && <Failure of={open.error} />}
    </>
  )
}
