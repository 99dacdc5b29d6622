/**
 * The server process behind a connection. The pid that the client knows may be the pooler's own if there is one in
 * between.
 */
import type pg from 'pg'

const known = new WeakMap<object, number>()

/** As reported by the server itself when the connection opens. */
export const noteServerProcess = (client: pg.ClientBase, pid: number): void => void known.set(client, pid)

/** @returns 0 if unknown, which is no process's pid. */
export const serverProcessOf = (client: pg.ClientBase): number => known.get(client) ?? 0
