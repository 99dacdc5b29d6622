/** Uploads the bytes of a file and reports progress, which `fetch` cannot. */

import { PanjiApiError } from '../../../client/api-error.ts'
import type { components } from '../../../client/api-types.ts'
import { csrfToken, hasNewSession } from './csrf.ts'

export type Upload = components['schemas']['Upload']

interface UploadOptions {
  readonly name: string
  /** Called with the share sent, 0 to 1. */
  readonly onProgress: (share: number) => void
  readonly signal?: AbortSignal
}

/** POST /admin/ingest/uploads. @throws PanjiApiError with the server's message if it is refused. */
export function uploadSnapshot(content: Blob, { name, onProgress, signal }: UploadOptions): Promise<Upload> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.open('POST', `/admin/ingest/uploads?filename=${encodeURIComponent(name)}`)
    request.setRequestHeader('Content-Type', 'application/octet-stream')
    const sent = csrfToken()
    request.setRequestHeader('X-CSRF-Token', sent)
    request.responseType = 'json'
    request.upload.onprogress = ({ loaded, total }) => onProgress(total === 0 ? 1 : loaded / total)
    request.onload = () => {
      if (request.status === 201) return resolve(request.response as Upload)
      if (request.status === 401) void hasNewSession(sent)
      reject(new PanjiApiError(request.status, (request.response ?? {}) as Partial<PanjiApiError['body']>))
    }
    request.onerror = () => reject(new TypeError('the file did not arrive'))
    request.onabort = () => reject(new DOMException('stopped', 'AbortError'))
    signal?.addEventListener('abort', () => request.abort(), { once: true })
    request.send(content)
  })
}
