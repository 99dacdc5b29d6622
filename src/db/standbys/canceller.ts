/** Where the statement of a connection is cancelled: on its own server, since each server numbers its own processes. */
import type pg from 'pg'
import type { Db } from '../db.ts'

const cancellers = new WeakMap<object, Pick<Db, 'transaction'>>()

export const noteCanceller = (client: pg.ClientBase, db: Pick<Db, 'transaction'>): void =>
  void cancellers.set(client, db)

/** @returns undefined for a connection to the primary. */
export const cancellerOf = (client: pg.ClientBase): Pick<Db, 'transaction'> | undefined => cancellers.get(client)
