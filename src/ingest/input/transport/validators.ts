/**
 * What a server provides to identify a version of a file: its ETag and modification date, and the address, after
 * redirects, that they belong to. They mean nothing for another address.
 */
import type { IncomingHttpHeaders } from 'node:http'

export interface Validators {
  /** In its stored form, without secrets. */
  readonly url: string
  readonly etag: string | null
  readonly lastModified: string | null
}

/** @returns undefined if the response has neither. */
export function validatorsOf(url: string, headers: IncomingHttpHeaders): Validators | undefined {
  const etag = headers.etag ?? null
  const lastModified = headers['last-modified'] ?? null
  return etag === null && lastModified === null ? undefined : { url, etag, lastModified }
}

/** Headers that request the file only if it is no longer this version. */
export function conditionalHeaders({ etag, lastModified }: Validators): Record<string, string> {
  return {
    ...(etag === null ? {} : { 'if-none-match': etag }),
    ...(lastModified === null ? {} : { 'if-modified-since': lastModified }),
  }
}

/**
 * The validator that proves two parts to be of the same bytes (RFC 9110, 13.1.5): a strong ETag; or, without any ETag,
 * a date already past when the server sent it, since a file may change twice within a second.
 * @returns undefined if there is no proof.
 */
export function proofOf(headers: IncomingHttpHeaders): string | undefined {
  const { etag, date } = headers
  if (etag !== undefined) return etag.startsWith('W/') ? undefined : etag
  const modified = headers['last-modified']
  if (modified === undefined || date === undefined) return undefined
  return Date.parse(date) - Date.parse(modified) >= 1000 ? modified : undefined
}

/**
 * The start of a part and the total size: `bytes 100-199/200`. The total is undefined if the server does not know it.
 */
export function readContentRange(header: string | undefined): { start: number; total: number | undefined } | undefined {
  const match = /^bytes (\d+)-\d+\/(\d+|\*)$/i.exec(header?.trim() ?? '')
  if (!match) return undefined
  return { start: Number(match[1]), total: match[2] === '*' ? undefined : Number(match[2]) }
}
