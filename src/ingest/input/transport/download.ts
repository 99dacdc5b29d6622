/**
 * Downloads a snapshot over http(s) into the data directory, with limits on size, time, silence and redirects; from a
 * private address only if the configuration allows it or an operator named it at a terminal. A broken connection is
 * resumed, by this attempt or a later one of the same run, if a validator proves that the rest belongs to the bytes
 * already here; otherwise the file starts over.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { Agent } from 'undici'
import type { FetchBounds } from '../../../../config/input-bounds.ts'
import { isDiskFull } from '../../../domain/fault-code.ts'
import { AppError } from '../../../errors.ts'
import { type FollowOptions, follow, unreadable } from './follow.ts'
import { openPartial, type PartialFile } from './partial-file.ts'
import { lookupFor } from './private-address.ts'
import { type Part, type Receiving, receive } from './receive.ts'
import { progressText, transferFault } from './transfer-fault.ts'
import { conditionalHeaders, type Validators } from './validators.ts'

export interface DownloadOptions extends Receiving {
  readonly folder: string
  readonly runId: number
  readonly attempt: number
  readonly bounds: FetchBounds
  readonly allowPrivate: boolean
  /** A private host that is allowed nevertheless; a redirect to another one is not. */
  readonly privateHost?: string | undefined
  readonly signal: AbortSignal
}

export type Download =
  | { readonly kind: 'file'; readonly path: string; readonly validators: Validators | null }
  /** The server still has the known version. */
  | { readonly kind: 'not-modified' }

/** @throws AppError SOURCE_UNREADABLE; with retry `later`, what arrived is kept for the run's next attempt. */
export async function download(address: string, options: DownloadOptions): Promise<Download> {
  const { bounds, runId, attempt } = options
  const asked = URL.parse(address)
  if (!asked) throw unreadable(address, 'it is not a valid address')
  const run = { runId, attempt, address: options.markOf(asked) }
  const partial = await openPartial(options.folder, run, bounds.syncEveryBytes)
  const deadline = AbortSignal.timeout(bounds.fetchMsMax)
  const agent = new Agent({
    headersTimeout: bounds.silenceMsMax,
    bodyTimeout: bounds.silenceMsMax,
    connect: {
      timeout: bounds.connectMsMax,
      ...(options.allowPrivate ? {} : { lookup: lookupFor(options.privateHost) }),
    },
  })
  try {
    const signal = AbortSignal.any([options.signal, deadline])
    return await untilWhole(address, partial, agent, { ...options, signal })
  } catch (cause) {
    options.signal.throwIfAborted()
    if (deadline.aborted) {
      const limit = `${bounds.fetchMsMax / 1000} s (PANJI_FETCH_SECONDS_MAX)`
      const far = progressText(partial.size, partial.note?.total ?? null)
      throw unreadable(address, `it took longer than ${limit}, ${far}`, { retry: 'later', cause })
    }
    throw cause
  } finally {
    await partial.close()
    await agent.destroy()
  }
}

async function untilWhole(
  address: string,
  partial: PartialFile,
  agent: Agent,
  options: DownloadOptions,
): Promise<Download> {
  const { bounds, signal } = options
  for (let cuts = 0; ; cuts++) {
    const part = await onePart(address, partial, agent, options)
    if (part.kind === 'not-modified') {
      await partial.forget()
      return part
    }
    if (part.kind === 'whole') {
      const { url, etag, lastModified } = part.note
      const validators = etag === null && lastModified === null ? null : { url, etag, lastModified }
      return { kind: 'file', path: partial.path, validators }
    }
    if (cuts >= bounds.resumesMax) {
      const reason = `${part.reason}; resumed ${bounds.resumesMax} times. What arrived is kept for the next attempt`
      throw unreadable(address, reason, { retry: 'later', cause: part.cause })
    }
    await delay(bounds.resumeDelayMs * 2 ** cuts, undefined, { signal })
  }
}

/** A fault before the response starts is left to the queue's retry; one in the middle of it is resumed. */
async function onePart(address: string, partial: PartialFile, agent: Agent, options: DownloadOptions): Promise<Part> {
  const { bounds, signal, known } = options
  const headersFor: FollowOptions['headersFor'] = (url) => {
    if (partial.size > 0) return belongsTo(partial, url, options) ? rangeFrom(partial) : {}
    return known?.url === options.markOf(url) ? conditionalHeaders(known) : {}
  }
  try {
    const { allowPrivate, privateHost } = options
    const reply = await follow(address, { agent, bounds, allowPrivate, privateHost, signal, headersFor })
    return await receive(address, reply, partial, options)
  } catch (cause) {
    const far = progressText(partial.size, partial.note?.total ?? null)
    if (isDiskFull(cause)) {
      const reason = `the disk is full, ${far}; make room for downloads in PANJI_DATA_DIR (${options.folder})`
      throw unreadable(address, reason, { retry: 'later', cause })
    }
    const fault = transferFault(cause, bounds, far)
    await partial.keep()
    if (cause instanceof AppError || signal.aborted) throw cause
    if (!partial.note) throw unreadable(address, fault, { retry: 'later', cause })
    return { kind: 'cut', reason: fault, cause }
  }
}

/** Signed addresses change their query with each redirect; a date alone proves nothing about another address. */
function belongsTo(partial: PartialFile, url: URL, { markOf }: DownloadOptions): boolean {
  const { note } = partial
  if (!note || note.proof === null) return false
  const known = new URL(note.url)
  return note.proof === note.etag
    ? known.origin === url.origin && known.pathname === url.pathname
    : note.url === markOf(url)
}

const rangeFrom = ({ size, note }: PartialFile): Record<string, string> => ({
  range: `bytes=${size}-`,
  'if-range': note?.proof ?? '',
})
