/**
 * Downloads a snapshot by http(s) into the data directory: bounded in size, time and redirects, never from a private
 * address unless the configuration allows it. A repeated run downloads again over the same file.
 */
import { lookup as resolveName } from 'node:dns'
import { createWriteStream } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { BlockList, isIP } from 'node:net'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { Agent, request } from 'undici'
import { AppError } from '../../errors.ts'

const bytesMax = 20 * 2 ** 30
const redirectsMax = 5
const silenceMsMax = 60_000

export interface DownloadOptions {
  readonly folder: string
  readonly fileName: string
  readonly allowPrivate: boolean
  readonly signal: AbortSignal
}

/** @returns the path of the downloaded file. */
export async function download(address: string, options: DownloadOptions): Promise<string> {
  await mkdir(options.folder, { recursive: true })
  const path = join(options.folder, options.fileName)
  const agent = new Agent({
    headersTimeout: silenceMsMax,
    bodyTimeout: silenceMsMax,
    connect: { timeout: 30_000, lookup: guardedLookup(options.allowPrivate) },
  })
  try {
    const body = await follow(address, agent, options)
    let total = 0
    await pipeline(
      body,
      async function* bounded(chunks: AsyncIterable<Buffer>) {
        for await (const chunk of chunks) {
          total += chunk.length
          if (total > bytesMax) throw unreadable(address, `it is larger than ${bytesMax} bytes`)
          yield chunk
        }
      },
      createWriteStream(path),
      { signal: options.signal },
    )
    return path
  } catch (cause) {
    if (cause instanceof AppError) throw cause
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw unreadable(address, reason, { retry: 'later', cause })
  } finally {
    await agent.close()
  }
}

async function follow(address: string, agent: Agent, options: DownloadOptions): Promise<AsyncIterable<Buffer>> {
  let url = new URL(address)
  for (let redirects = 0; redirects <= redirectsMax; redirects++) {
    const host = url.hostname.replace(/^\[|\]$/g, '')
    if (!/^https?:$/.test(url.protocol)) throw unreadable(address, `${url.protocol} is not followed`)
    if (!options.allowPrivate && isIP(host) !== 0 && isPrivate(host)) throw privateAddress(address, host)
    const reply = await request(url, { dispatcher: agent, signal: options.signal })
    const location = reply.headers['location']
    if (reply.statusCode >= 300 && reply.statusCode < 400 && typeof location === 'string') {
      await reply.body.dump()
      url = new URL(location, url)
      continue
    }
    if (reply.statusCode === 200) return reply.body as AsyncIterable<Buffer>
    await reply.body.dump()
    const retry = reply.statusCode >= 500 || reply.statusCode === 429 ? 'later' : 'never'
    throw unreadable(address, `the server answered ${reply.statusCode}`, { retry })
  }
  throw unreadable(address, `it redirects more than ${redirectsMax} times`)
}

const privateRanges = new BlockList()
for (const [network, prefix] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
  ['224.0.0.0', 3],
] as const) {
  privateRanges.addSubnet(network, prefix, 'ipv4')
}
for (const [network, prefix] of [
  ['::', 127],
  ['fc00::', 7],
  ['fe80::', 10],
  ['ff00::', 8],
] as const) {
  privateRanges.addSubnet(network, prefix, 'ipv6')
}

/** BlockList itself sees through IPv4 addresses mapped into IPv6. */
export function isPrivate(address: string): boolean {
  return privateRanges.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4')
}

/** Checks the address that is connected to, not the one that an earlier question to DNS gave. */
function guardedLookup(allowPrivate: boolean): typeof resolveName {
  const guarded = (host: string, dnsOptions: object, done: (...answer: unknown[]) => void): void => {
    resolveName(host, { ...dnsOptions, all: true }, (error, addresses) => {
      const refused = allowPrivate ? undefined : addresses?.find(({ address }) => isPrivate(address))
      if (error) done(error)
      else if (refused) done(privateAddress(host, refused.address))
      else if ('all' in dnsOptions && dnsOptions.all === true) done(null, addresses)
      else done(null, addresses[0]?.address, addresses[0]?.family)
    })
  }
  return guarded as typeof resolveName
}

function privateAddress(address: string, resolved: string): AppError {
  return unreadable(address, `${resolved} is a private address; PANJI_ALLOW_PRIVATE_SOURCES=true allows it`)
}

function unreadable(
  address: string,
  reason: string,
  options: { readonly retry?: 'never' | 'later'; readonly cause?: unknown } = {},
): AppError {
  return new AppError('SOURCE_UNREADABLE', `${address} could not be fetched: ${reason}.`, options)
}
