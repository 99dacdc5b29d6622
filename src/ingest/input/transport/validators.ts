/**
 * What a server said by which a version of a file is known again: its ETag and its date of modification, and the
 * address, redirects followed, that they belong to. Asked about another address they would mean nothing.
 */
import type { IncomingHttpHeaders } from 'node:http'

export interface Validators {
  /** As it is kept: without what it hides. */
  readonly url: string
  readonly etag: string | null
  readonly lastModified: string | null
}

/** @returns undefined when the answer names neither. */
export function validatorsOf(url: string, headers: IncomingHttpHeaders): Validators | undefined {
  const etag = headers.etag ?? null
  const lastModified = headers['last-modified'] ?? null
  return etag === null && lastModified === null ? undefined : { url, etag, lastModified }
}

/** Headers that ask for the file only if it is no longer this version. */
export function conditionalHeaders({ etag, lastModified }: Validators): Record<string, string> {
  return {
    ...(etag === null ? {} : { 'if-none-match': etag }),
    ...(lastModified === null ? {} : { 'if-modified-since': lastModified }),
  }
}

/**
 * The validator that proves two parts to be of the same bytes (RFC 9110, 13.1.5): a strong ETag; or where there is no
 * ETag at all, a date that was past when the server named it, since a file may change twice within the second.
 * @returns undefined where nothing proves it.
 */
export function proofOf(headers: IncomingHttpHeaders): string | undefined {
  const { etag, date } = headers
  if (etag !== undefined) return etag.startsWith('W/') ? undefined : etag
  const modified = headers['last-modified']
  if (modified === undefined || date === undefined) return undefined
  return Date.parse(date) - Date.parse(modified) >= 1000 ? modified : undefined
}

/** Where a part ends up: `bytes 100-199/200`. The total is undefined where the server does not know it. */
export function readContentRange(header: string | undefined): { start: number; total: number | undefined } | undefined {
  const match = /^bytes (\d+)-\d+\/(\d+|\*)$/i.exec(header?.trim() ?? '')
  if (!match) return undefined
  return { start: Number(match[1]), total: match[2] === '*' ? undefined : Number(match[2]) }
}
