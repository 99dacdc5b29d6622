/**
 * The origin of an act: kept for the length of a request or a command, so that each row of the audit log written in
 * that time, however deep in the code, names the credential, the operation and the address.
 */
import { AsyncLocalStorage } from 'node:async_hooks'

export interface Acting {
  /** ID of the API key or operator, `environment`, or the user of the machine; set late where the call is a login. */
  credential: string | null
  /** operationId of the API, or `panji approve`. */
  readonly operation: string
  /** Canonical spelling; null at the command line. */
  readonly address: string | null
  /** Context that the operation alone does not give: `order <id>`. */
  readonly reason?: string | undefined
  /** Proof for the database that an operator's credential was presented; set late where the call is a sign-in. */
  proof?: string | undefined
  /** Number of audit log rows written so far. */
  written: number
}

const storage = new AsyncLocalStorage<Acting>()

export const actingNow = (): Acting | undefined => storage.getStore()
export const actAs = <T>(acting: Acting, work: () => T): T => storage.run(acting, work)
