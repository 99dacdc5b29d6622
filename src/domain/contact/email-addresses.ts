/**
 * Reads the e-mail addresses of a cell: those that parse, in lower case, distinct and in order, and whether the cell
 * contains anything else. An address is never guessed: in `rajesh kumar@example.in`, `kumar@…` would be another
 * person's mailbox. Pure and idempotent.
 */
import { domainToASCII } from 'node:url'
import validator from 'validator'
import { visibleSigns } from '../visible-text.ts'

export interface EmailsRead {
  readonly addresses: readonly string[]
  /** True if part of the cell is not an address. */
  readonly hasJunk: boolean
}

/** No one lists more; a cell with more is text, not contacts. */
const addressesMax = 10
const cellLengthMax = 2000
/** Words before or between addresses that are not part of them. */
const label = /^(?:e-?mails?|mail|mailto|id|and|or|&|[:.-]+)$/i

export function readEmails(cell: string): EmailsRead {
  if (cell.length > cellLengthMax) return { addresses: [], hasJunk: true }
  const pieces = respelt(cell)
    .split(/[,;|/\r\n\t\uff0c\uff1b\uff5c\uff0f\ufe14]+/)
    .map((piece) => piece.trim())
    .filter((piece) => piece !== '')
  const found = pieces.map(addressesOf)
  const addresses = [...new Set(found.flatMap((each) => each ?? []))]
  return { addresses: addresses.slice(0, addressesMax), hasJunk: found.includes(undefined) }
}

/** Undoes the spelling with which registers deter address collectors: `info[at]example[dot]in`. */
function respelt(cell: string): string {
  return visibleSigns(cell.normalize('NFC'))
    .replaceAll('\uff20', '@')
    .replaceAll('\uff0e', '.')
    .replace(/ {0,3}[[({] ?at ?[\])}] {0,3}/gi, '@')
    .replace(/ {0,3}[[({] ?dot ?[\])}] {0,3}/gi, '.')
}

/** @returns undefined if the piece contains anything that is neither an address nor a label. */
function addressesOf(piece: string): string[] | undefined {
  const bracketed = /<([^<>]*)>\s*$/.exec(piece)
  const words = (bracketed?.[1] ?? piece).split(/\s+/).flatMap(withoutLabel)
  const addresses = words.map(addressOf)
  return addresses.length > 0 && addresses.every((address) => address !== undefined) ? addresses : undefined
}

function withoutLabel(word: string): string[] {
  if (label.test(word)) return []
  const bare = word.replace(/^(?:e-?mail|mail|mailto)\s*:+/i, '').replace(/^["'(]{1,3}|["').:]{1,3}$/g, '')
  return bare === '' ? [] : [bare]
}

/** Placeholders for a missing address, and mailboxes that no one reads. */
const isNobodys =
  /^(?:na|nil|no|none|null|noemail|nomail|notavailable|notapplicable|dummy|noreply|donotreply|no[._-]?(?:email|mail|reply))@|^(?:abc|xyz|test|aaa|xxx)@(?:abc|xyz|test|aaa|xxx)\./
/** Misspelt domains that no registry has: mail cannot be delivered. */
const isNowhere = /@gmail\.(?!com$)|\.(?:con|comm|cmo|ocm|vom|xom|cpm)$/

const options = { allow_utf8_local_part: true }

function addressOf(word: string): string | undefined {
  if (!validator.isEmail(word, options)) return undefined
  const at = word.lastIndexOf('@')
  // Mail servers and CRMs know a domain only in its ASCII form.
  const domain = domainToASCII(word.slice(at + 1).toLowerCase())
  const address = `${word.slice(0, at).toLowerCase()}@${domain}`
  // The ASCII form of a domain can contain characters that the original did not: a full-width semicolon becomes a
  // plain one.
  if (domain === '' || isNobodys.test(address) || isNowhere.test(address)) return undefined
  return validator.isEmail(address, options) ? address : undefined
}
