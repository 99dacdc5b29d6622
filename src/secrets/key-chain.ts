/**
 * The secret key of a process, and others that it may meet: during a rotation values are sealed under the old key or
 * the new one, and every process reads both.
 */
import { hkdfSync } from 'node:crypto'
import { Secret } from '../domain/secret.ts'

export class SecretKeyChain extends Secret {
  readonly #others: readonly Secret[]
  readonly #reread: () => readonly Secret[]

  /** @param reread keys that came after the start, such as those that a rotation wrote into the data directory. */
  constructor(current: Secret, others: readonly Secret[] = [], reread: () => readonly Secret[] = () => []) {
    super(current.reveal())
    this.#others = others
    this.#reread = reread
  }

  /** The current one first. */
  keys(): readonly Secret[] {
    return [this, ...this.#others, ...this.#reread()]
  }
}

const keysOf = (key: Secret): readonly Secret[] => (key instanceof SecretKeyChain ? key.keys() : [key])

/** Sixteen hex digits that identify a key and reveal nothing about it; stored with everything that it seals. */
export const keyIdOf = (key: Secret): string => deriveFrom(key, 'panji key id', 8).toString('hex')

export const findKey = (key: Secret, keyId: string): Secret | undefined =>
  keysOf(key).find((each) => keyIdOf(each) === keyId)

/** A key per purpose, so that a value sealed for one cannot be opened for another. */
export const deriveFrom = (key: Secret, purpose: string, bytes: number): Buffer =>
  Buffer.from(hkdfSync('sha256', key.reveal(), '', purpose, bytes))
