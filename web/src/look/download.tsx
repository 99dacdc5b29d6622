/**
 * A button that fetches a file with the session's token, which a link could not carry, and hands it to the browser. How much of
 * it has come is told meanwhile: the file of many orders takes its time.
 */
import { useState } from 'react'
import { PanjiApiError } from '../../../client/api-error.ts'
import { sentenceOf } from './failure.tsx'
import { bytes } from './numbers.ts'
import { saveAs } from './save-as.ts'

export function Download(props: {
  readonly label: string
  /** What it is called where it is kept. */
  readonly name: string
  /** @param told hears how many bytes have come, where the file is read as it comes. @throws PanjiApiError where it is refused. */
  readonly fetch: (told: (bytes: number) => void) => Promise<unknown>
}) {
  const { label, name, fetch } = props
  const [state, setState] = useState<{ readonly busy: boolean; readonly come?: number; readonly failure?: unknown }>({
    busy: false,
  })
  const save = async () => {
    setState({ busy: true })
    try {
      saveAs(await fetch((come) => setState({ busy: true, come })), name)
      setState({ busy: false })
    } catch (failure) {
      setState({ busy: false, failure })
    }
  }
  return (
    <>
      <button type="button" disabled={state.busy} onClick={() => void save()}>
        {state.busy ? `${label}${state.come === undefined ? '' : `, ${bytes(state.come)}`} …` : label}
      </button>
      {state.failure !== undefined && <span role="alert">{sentenceOf(state.failure)}</span>}
    </>
  )
}

/** The file of an answer that was asked for as a blob or as a stream, or the refusal that came in its place. */
export async function fileOf(
  answer: { readonly data?: unknown; readonly error?: unknown; readonly response: Response },
  told: (bytes: number) => void = () => {},
): Promise<unknown> {
  if (answer.data instanceof ReadableStream) return gathered(answer.data, answer.response, told)
  if (answer.data !== undefined) return answer.data
  const { error } = answer
  // A refusal is JSON, whatever was asked for.
  const body: unknown = error instanceof Blob ? JSON.parse(await error.text()) : error
  throw new PanjiApiError(answer.response.status, (body ?? {}) as Partial<PanjiApiError['body']>)
}

function gathered(stream: ReadableStream<Uint8Array>, { headers }: Response, told: (bytes: number) => void) {
  let come = 0
  const counting = new TransformStream<Uint8Array, Uint8Array<ArrayBuffer>>({
    transform(part, to) {
      come += part.byteLength
      told(come)
      to.enqueue(new Uint8Array(part))
    },
  })
  const type = headers.get('content-type') ?? 'application/octet-stream'
  return new Response(stream.pipeThrough(counting), { headers: { 'content-type': type } }).blob()
}
