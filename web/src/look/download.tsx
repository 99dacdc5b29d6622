/**
 * A button that downloads a file with the session's token, which a link could not send. It shows the bytes received,
 * since the file of many orders takes a while.
 */

import { useState } from 'react'
import { PanjiApiError } from '../../../client/api-error.ts'
import { BusyButton } from './busy-button.tsx'
import { sentenceOf } from './failure.tsx'
import { bytes } from './numbers.ts'
import { saveAs } from './save-as.ts'

export function Download(props: {
  readonly label: string
  readonly name: string
  /**
   * @param progress is called with the bytes received, where the file is streamed. @throws PanjiApiError if it is refused.
   */
  readonly fetch: (progress: (bytes: number) => void) => Promise<unknown>
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
      <BusyButton isBusy={state.busy} press={save}>
        {state.busy ? `${label}${state.come === undefined ? '' : `, ${bytes(state.come)}`} …` : label}
      </BusyButton>
      {state.failure !== undefined && <span role="alert">{sentenceOf(state.failure)}</span>}
    </>
  )
}

/** The file of an answer read as a blob or a stream, or the refusal sent instead. */
export async function fileOf(
  answer: { readonly data?: unknown; readonly error?: unknown; readonly response: Response },
  progress: (bytes: number) => void = () => {},
): Promise<unknown> {
  if (answer.data instanceof ReadableStream) return gathered(answer.data, answer.response, progress)
  if (answer.data !== undefined) return answer.data
  const { error } = answer
  // A refusal is JSON, whatever was requested.
  const body: unknown = error instanceof Blob ? JSON.parse(await error.text()) : error
  throw new PanjiApiError(answer.response.status, (body ?? {}) as Partial<PanjiApiError['body']>)
}

function gathered(stream: ReadableStream<Uint8Array>, { headers }: Response, progress: (bytes: number) => void) {
  let come = 0
  const counting = new TransformStream<Uint8Array, Uint8Array<ArrayBuffer>>({
    transform(part, to) {
      come += part.byteLength
      progress(come)
      to.enqueue(new Uint8Array(part))
    },
  })
  const type = headers.get('content-type') ?? 'application/octet-stream'
  return new Response(stream.pipeThrough(counting), { headers: { 'content-type': type } }).blob()
}
