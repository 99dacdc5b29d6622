/**
 * The address of an input as it is kept: bare in every row, message and answer, and whole only sealed beside it, for
 * the one step that fetches it. A path, and an address without credentials or query, is kept as it is.
 */
import type { ScheduleDefinition } from '../../../config/schedules.ts'
import { bareAddress, hidesSomething, isAddress, isRemote } from '../../domain/bare-address.ts'
import type { Secret } from '../../domain/secret.ts'
import { AppError } from '../../errors.ts'
import { markOf, type Seal, seal, unseal } from '../../secrets/seal.ts'

export interface KeptInput {
  /** As it may be shown. */
  readonly input: string
  /** Base64; absent where nothing is hidden. */
  readonly sealed?: string
}

export function keepInput(input: string, secretKey: Secret): KeptInput {
  if (!isAddress(input) && !isRemote(input)) return { input }
  const bare = bareAddress(input)
  if (!isRemote(input)) return { input: bare }
  return hidesSomething(input)
    ? { input: bare, sealed: seal(input, sealOf(bare, secretKey)).toString('base64') }
    : { input: bare }
}

/** @returns the address as it was given. @throws AppError SOURCE_UNREADABLE for one that was sealed under another key. */
export function wholeInput({ input, sealed }: KeptInput, secretKey: Secret): string {
  if (sealed === undefined) return input
  try {
    return unseal(Buffer.from(sealed, 'base64'), sealOf(input, secretKey))
  } catch (cause) {
    const message = `${input}: its credentials cannot be opened; is PANJI_SECRET_KEY the one they were stored under?`
    throw new AppError('SOURCE_UNREADABLE', message, { cause })
  }
}

/** Tells an address again, among those of rows and files, without keeping what it hides. */
export const addressMark = (url: URL, secretKey: Secret): string =>
  hidesSomething(url.href)
    ? `${bareAddress(url.href)}#${markOf(url.href, secretKey, 'panji source address marks')}`
    : url.href

/** Schedules of config/schedules.ts name their addresses as they are. */
export const sealedSchedules = (definitions: readonly ScheduleDefinition[], secretKey: Secret): ScheduleDefinition[] =>
  definitions.map((definition) => {
    const { input } = definition.payload
    return typeof input === 'string'
      ? { ...definition, payload: { ...definition.payload, ...keepInput(input, secretKey) } }
      : definition
  })

const sealOf = (bare: string, secretKey: Secret): Seal => ({
  purpose: 'panji source addresses',
  belongsTo: bare,
  secretKey,
})
