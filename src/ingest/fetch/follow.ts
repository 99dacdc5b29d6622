/** One request for a file: redirects followed within bounds, each hop refused where it leads to a private address. */
import { type Agent, type Dispatcher, request } from 'undici'
import type { FetchBounds } from '../../../config/input-bounds.ts'
import { AppError } from '../../errors.ts'
import { refusePrivateLiteral } from './private-address.ts'

export interface FollowOptions {
  readonly agent: Agent
  readonly bounds: FetchBounds
  readonly allowPrivate: boolean
  readonly signal: AbortSignal
  /** Conditions are put only to the address that they were learnt from. */
  readonly headersFor: (url: URL) => Readonly<Record<string, string>>
}

export interface Reply {
  /** That answered, redirects followed. */
  readonly url: URL
  readonly data: Dispatcher.ResponseData
}

/** @throws AppError SOURCE_UNREADABLE for redirects that lead too far or to where nobody may go. */
export async function follow(address: string, options: FollowOptions): Promise<Reply> {
  const { agent, bounds, signal } = options
  const asked = URL.parse(address)
  if (!asked) throw unreadable(address, 'it is no address')
  let url: URL = asked
  for (let redirects = 0; redirects <= bounds.redirectsMax; redirects++) {
    if (!/^https?:$/.test(url.protocol)) throw unreadable(address, `${url.protocol} is not followed`)
    if (!options.allowPrivate) refusePrivateLiteral(url)
    const headers = { 'accept-encoding': 'identity', ...options.headersFor(url) }
    const data = await request(url, { dispatcher: agent, signal, headers })
    const location = data.headers['location']
    if (![301, 302, 303, 307, 308].includes(data.statusCode) || typeof location !== 'string') return { url, data }
    await data.body.dump()
    const target = URL.parse(location, url.href)
    if (!target) throw unreadable(address, `it redirects to ${JSON.stringify(location)}, which is no address`)
    url = target
  }
  throw unreadable(address, `it redirects more than ${bounds.redirectsMax} times`)
}

export function unreadable(
  address: string,
  reason: string,
  options: { readonly retry?: 'never' | 'later'; readonly cause?: unknown } = {},
): AppError {
  return new AppError('SOURCE_UNREADABLE', `${address} could not be fetched: ${reason}.`, options)
}
