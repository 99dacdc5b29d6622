/**
 * The stored form of an input's address: bare in every row, message and response, and complete only in sealed form, for
 * the one step that fetches it. A path, or an address without credentials or query, is stored as it is.
 */
import type { ScheduleDefinition } from '../../../config/schedules.ts'
import type { Db } from '../../db/db.ts'
import { bareAddress, hidesSomething, isAddress, isRemote } from '../../domain/bare-address.ts'
import type { Secret } from '../../domain/secret.ts'
import { AppError } from '../../errors.ts'
import { sealingKey } from '../../secrets/canary.ts'
import { markOf, seal, unseal } from '../../secrets/seal.ts'
import { scheduledAddressColumn } from '../../secrets/sealed-columns.ts'

export interface KeptInput {
  /** The form that may be shown. */
  readonly input: string
  /** Base64; omitted if nothing is hidden. */
  readonly sealed?: string
}

/** As rows, messages and responses show it. */
export const shownInput = (input: string): string => (isAddress(input) || isRemote(input) ? bareAddress(input) : input)

/**
 * The same for the same address and key, so that `input` and `sealed` together identify it.
 * @param key the current sealing key, see `sealingKey`; locked until the result is written.
 */
export function keepInput(input: string, key: Secret): KeptInput {
  const bare = shownInput(input)
  return isRemote(input) && hidesSomething(input)
    ? { input: bare, sealed: seal(input, useOf(bare), key).toString('base64') }
    : { input: bare }
}

/**
 * @returns the complete address.
 * @throws AppError SOURCE_UNREADABLE if it was sealed with another key.
 */
export function wholeInput({ input, sealed }: KeptInput, secretKey: Secret): string {
  if (sealed === undefined) return input
  const whole = unseal(Buffer.from(sealed, 'base64'), useOf(input), secretKey)
  if (whole !== undefined) return whole
  const message = `${input}: its credentials cannot be opened; is PANJI_SECRET_KEY the one they were stored under?`
  throw new AppError('SOURCE_UNREADABLE', message)
}

/**
 * Identifies an address in rows and files without storing its secrets. Another secret key gives another mark, so after
 * a rotation a file is fetched in full once more.
 */
export const addressMark = (url: URL, secretKey: Secret): string =>
  hidesSomething(url.href)
    ? `${bareAddress(url.href)}#${markOf(url.href, 'panji source address marks', secretKey)}`
    : url.href

/** Schedules of config/schedules.ts have plain addresses; each start seals them again. */
export function sealedSchedules(
  db: Db,
  definitions: readonly ScheduleDefinition[],
  secretKey: Secret,
): Promise<ScheduleDefinition[]> {
  return db.transaction(async (tx) => {
    const sealed: ScheduleDefinition[] = []
    for (const { payload, ...definition } of definitions) {
      const { input } = payload
      const kept = typeof input === 'string' ? keepInput(input, await sealingKey(tx, secretKey)) : {}
      sealed.push({ ...definition, payload: { ...payload, ...kept } })
    }
    return sealed
  })
}

const useOf = (bare: string) => ({
  purpose: scheduledAddressColumn.purpose,
  boundTo: bare,
  isRecognisable: true as const,
})
