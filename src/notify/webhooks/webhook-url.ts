/**
 * Which URLs may be called, judged by their text: only https and public ones, unless private ones are allowed. The same
 * rule where a URL is set and where it is called, so that none is accepted that cannot be called; the resolved address
 * is checked at the call.
 */
import { isIP } from 'node:net'
import { isPublicAddress } from '../../domain/public-address.ts'

const urlLengthMax = 2_000

/**
 * @param allowPrivate also allows http, and addresses of this machine and its network. @returns why it may not be
 * called, as the end of a sentence; null where it may.
 */
export function faultOfUrl(text: string, allowPrivate: boolean): string | null {
  if (text.length > urlLengthMax || !URL.canParse(text)) return 'must be an address'
  const url = new URL(text)
  if (url.protocol === 'http:' && !allowPrivate && isOfThisNetwork(url)) {
    return 'must be an https address; one of this machine is taken where Panji runs with PANJI_ALLOW_PRIVATE_SOURCES=true'
  }
  if (url.protocol !== 'https:' && !(allowPrivate && url.protocol === 'http:')) return 'must be an https address'
  if (url.username !== '' || url.password !== '') return 'must not carry credentials'
  if (url.hash !== '') return 'must have no fragment'
  return isPrivate(url) && !allowPrivate ? 'must be an address of the public internet' : null
}

/** A literal address is never resolved, so it must be checked here. */
function isPrivate({ hostname }: URL): boolean {
  const literal = hostname.replace(/^\[|\]$/g, '')
  return isIP(literal) !== 0 && !isPublicAddress(literal)
}

const isOfThisNetwork = (url: URL): boolean => url.hostname === 'localhost' || isPrivate(url)
