/** One request for a file, following redirects within limits; a hop to a private address is refused. */
import querystring from 'node:querystring'
import { type Agent, type Dispatcher, request } from 'undici'
import type { FetchBounds } from '../../../../config/input-bounds.ts'
import { bareAddress } from '../../../domain/bare-address.ts'
import { visible } from '../../../domain/visible.ts'
import { AppError } from '../../../errors.ts'
import { refusePrivateLiteral } from './private-address.ts'

export interface FollowOptions {
  readonly agent: Agent
  readonly bounds: FetchBounds
  readonly allowPrivate: boolean
  /** A private host that is allowed nevertheless. */
  readonly privateHost?: string | undefined
  readonly signal: AbortSignal
  /** Conditional headers are sent only to the address that they came from. */
  readonly headersFor: (url: URL) => Readonly<Record<string, string>>
}

export interface Reply {
  /** The responding address, after redirects. */
  readonly url: URL
  readonly data: Dispatcher.ResponseData
}

/** @throws AppError SOURCE_UNREADABLE for too many redirects, or one to a forbidden address. */
export async function follow(address: string, options: FollowOptions): Promise<Reply> {
  const { agent, bounds, signal } = options
  const asked = URL.parse(address)
  if (!asked) throw unreadable(address, 'it is not a valid address')
  let url: URL = asked
  let login: { readonly origin: string; readonly header: string } | undefined
  for (let redirects = 0; redirects <= bounds.redirectsMax; redirects++) {
    if (!/^https?:$/.test(url.protocol)) throw unreadable(address, `${url.protocol} is not followed`)
    if (!options.allowPrivate && url.hostname !== options.privateHost) refusePrivateLiteral(url)
    // A redirect within the same server keeps the credentials; no other server receives them.
    if (hasUser(url)) login = { origin: url.origin, header: basicOf(url) }
    const authorization = login?.origin === url.origin ? { authorization: login.header } : {}
    const headers = { 'accept-encoding': 'identity', ...authorization, ...options.headersFor(url) }
    const data = await request(withoutUser(url), { dispatcher: agent, signal, headers })
    const location = data.headers['location']
    if (![301, 302, 303, 307, 308].includes(data.statusCode) || typeof location !== 'string') return { url, data }
    await data.body.dump()
    const target = URL.parse(location, url.href)
    if (!target) throw unreadable(address, `it redirects to what is no address`)
    url = target
  }
  throw unreadable(address, `it redirects more than ${bounds.redirectsMax} times`)
}

export function unreadable(
  address: string,
  reason: string,
  options: { readonly retry?: 'never' | 'later'; readonly cause?: unknown } = {},
): AppError {
  return new AppError('SOURCE_UNREADABLE', `${bareAddress(address)} could not be fetched: ${visible(reason)}.`, options)
}

const hasUser = (url: URL): boolean => url.username !== '' || url.password !== ''

const basicOf = ({ username, password }: URL): string =>
  `Basic ${Buffer.from(`${decoded(username)}:${decoded(password)}`).toString('base64')}`

/** A lone % is part of a password, not the start of an escape. */
const decoded = (part: string): string => querystring.unescape(part)

function withoutUser(url: URL): URL {
  const bare = new URL(url)
  bare.username = ''
  bare.password = ''
  bare.hash = ''
  return bare
}
