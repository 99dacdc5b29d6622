/** A button that fetches a file with the session's token, which a link could not carry, and hands it to the browser. */
import { useState } from 'react'
import { PanjiApiError } from '../../../client/api-error.ts'
import { sentenceOf } from './failure.tsx'
import { saveAs } from './save-as.ts'

export function Download(props: {
  readonly label: string
  /** What it is called where it is kept. */
  readonly name: string
  /** @throws PanjiApiError where it is refused. */
  readonly fetch: () => Promise<unknown>
}) {
  const { label, name, fetch } = props
  const [state, setState] = useState<{ readonly busy: boolean; readonly failure?: unknown }>({ busy: false })
  const save = async () => {
    setState({ busy: true })
    try {
      saveAs(await fetch(), name)
      setState({ busy: false })
    } catch (failure) {
      setState({ busy: false, failure })
    }
  }
  return (
    <>
      <button type="button" disabled={state.busy} onClick={() => void save()} title={name}>
        {state.busy ? `${label} …` : label}
      </button>
      {state.failure !== undefined && <span role="alert">{sentenceOf(state.failure)}</span>}
    </>
  )
}

/** The file of an answer that was asked for as a blob, or the refusal that came in its place. */
export async function fileOf(answer: {
  readonly data?: unknown
  readonly error?: unknown
  readonly response: Response
}): Promise<unknown> {
  if (answer.data !== undefined) return answer.data
  const { error } = answer
  // A refusal is JSON, whatever was asked for.
  const body: unknown = error instanceof Blob ? JSON.parse(await error.text()) : error
  throw new PanjiApiError(answer.response.status, (body ?? {}) as Partial<PanjiApiError['body']>)
}
