/** Parsers for the values of variables: numbers, secrets, lists. A fault never repeats a value. */
import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import { z } from 'zod'
import { Secret } from '../domain/secret.ts'

export const port = (fallback: number) =>
  z
    .string()
    .regex(/^\d{1,5}$/, 'must be a port number from 0 to 65535')
    .transform(Number)
    .refine((value) => value <= 65_535, 'must be a port number from 0 to 65535')
    .default(fallback)

const label = /^[\p{L}\p{N}_]([\p{L}\p{N}_-]{0,61}[\p{L}\p{N}_])?$/u

/** Only digits and dots, as in `999.1.1.1`, is an invalid address. */
const isHostName = (value: string) => !/(^|\.)\d+$/.test(value) && value.split('.').every((part) => label.test(part))

/** What a server listens on. Only listening shows whether it belongs to this machine. */
export const host = z
  .string()
  .refine((value) => isIP(value) !== 0 || isHostName(value), 'must be an IP address or a host name, without a port')
  .default('127.0.0.1')

export const positive = (fallback: number, unit: string) =>
  z
    .string()
    .regex(/^[1-9]\d{0,14}$/, `must be a whole number of ${unit} above 0`)
    .transform(Number)
    .default(fallback)

const secretOf = (text: z.ZodString, characters: number) =>
  text
    .min(characters, `must have at least ${characters} characters`)
    .transform((value) => new Secret(value))
    .optional()

/** Without the line break at the end of a mounted file: no header could carry it, and it would change every signature. */
export const secret = (characters: number) => secretOf(z.string().trim(), characters)

/** As it is, blanks included: what is stored is encrypted with it. */
export const encryptionKey = secretOf(z.string(), 16)

const partsOf = (value: string) =>
  value
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean)

/** `asha:TOKEN,ravi:TOKEN`; a fault never repeats a token. */
export function operatorsIn(
  value: string,
  context: z.RefinementCtx,
): { readonly name: string; readonly token: Secret }[] {
  const operators = partsOf(value).map((part) => /^([a-z][a-z0-9_.-]{0,39}):(\S{16,})$/.exec(part))
  const names = operators.map((match) => match?.[1] ?? '')
  if (operators.includes(null)) {
    context.addIssue('must list name:token, names in small letters, tokens of at least 16 characters')
  } else if (new Set(names).size < names.length || names.includes('default') || names.includes('metrics')) {
    context.addIssue('must give each operator a name of their own; default and metrics are taken')
  }
  return operators.flatMap((match) => (match ? [{ name: match[1] ?? '', token: new Secret(match[2] ?? '') }] : []))
}

/** `type:CLIENT_ID:CLIENT_SECRET,…`; a fault never repeats a secret. */
export function appsIn(
  value: string,
  context: z.RefinementCtx,
): { readonly connector: string; readonly clientId: string; readonly clientSecret: Secret }[] {
  const apps = partsOf(value).map((part) => /^([a-z][a-z0-9-]{0,39}):([^\s:]{4,200}):(\S{8,300})$/.exec(part))
  const types = apps.map((match) => match?.[1] ?? '')
  if (apps.includes(null)) context.addIssue('must list type:client_id:client_secret')
  else if (new Set(types).size < types.length) context.addIssue('must give each type one app')
  return apps.flatMap((match) =>
    match ? [{ connector: match[1] ?? '', clientId: match[2] ?? '', clientSecret: new Secret(match[3] ?? '') }] : [],
  )
}

export function originsIn(value: string, context: z.RefinementCtx): string[] {
  const origins = partsOf(value)
  if (origins.some((each) => !/^https?:\/\//.test(each) || !URL.canParse(each) || new URL(each).origin !== each)) {
    context.addIssue('must list origins such as https://app.example.in, without a path')
  }
  return origins
}

const networkNames: ReadonlySet<string> = new Set(['loopback', 'linklocal', 'uniquelocal'])

export function proxiesIn(value: string, context: z.RefinementCtx): string[] {
  const proxies = partsOf(value)
  if (proxies.some((each) => !networkNames.has(each) && !ipaddr.isValid(each) && !ipaddr.isValidCIDR(each))) {
    context.addIssue('must list addresses, networks such as 10.0.0.0/8, or loopback, linklocal, uniquelocal')
  }
  return proxies
}

/** `https://…` and `slack+https://…`; a fault never repeats one, because the whole URL may be a secret. */
export function alertUrlsIn(value: string, context: z.RefinementCtx): string[] {
  const urls = partsOf(value)
  if (
    urls.some((each) => !/^(slack\+)?https?:\/\/[^\s@]+$/.test(each) || !URL.canParse(each.replace(/^slack\+/, '')))
  ) {
    context.addIssue('must list https addresses, with slack+ before those that accept Slack messages')
  }
  return urls
}

export function mailAddressesIn(value: string, context: z.RefinementCtx): string[] {
  const addresses = partsOf(value)
  if (addresses.some((each) => !/^[^\s@<>;"]+@[^\s@<>;"]+\.[^\s@<>;".]+$/.test(each))) {
    context.addIssue('must list e-mail addresses')
  }
  return addresses
}
