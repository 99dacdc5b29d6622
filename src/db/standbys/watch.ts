/**
 * Which standbys may be read: those that have replayed what the primary had a second ago, and every version of a
 * register that a read of this process has seen. Checked once a second; a standby that is silent, behind or promoted is
 * skipped until it recovers.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { withinAwake } from '../../domain/awake-time.ts'
import type { Db, Queryable } from '../db.ts'
import { sql } from '../sql.ts'
import { timelineSql } from '../timeline.ts'

export interface StandbyTimes {
  readonly lookMs: number
  /** Timeout of a server's reply to a check. */
  readonly answerMs: number
}
const usualTimes: StandbyTimes = { lookMs: 1_000, answerMs: 2_000 }

export interface WatchedStandby {
  /** Host and port, for the log. */
  readonly name: string
  /** A separate connection, so that checks do not wait behind reads. */
  readonly db: Db
}

export interface StandbyUsage {
  readonly used: number
  readonly leftOut: number
}

export interface StandbyWatch {
  /** Indexes of the standbys that may be read; each replied to the last check. */
  usable(): readonly number[]
  /**
   * Aborts when the standby at `place` is found silent, so that no caller keeps waiting; a new signal once it is back.
   */
  silence(place: number): AbortSignal
  /** The sum of the registers' versions below which no read may fall. */
  floor(): number
  /** Records that a read has seen this sum. */
  saw(versions: number): void
  /** A read found the standby unavailable or behind: it is skipped until a check clears it. */
  leaveOut(place: number): void
  usage(): StandbyUsage
  stop(): Promise<void>
}

/** On one timeline versions only rise, so their sum orders two states of the registers. */
const versionsSql = sql`SELECT coalesce(sum(version), 0)::float8 FROM registry.version`
const primarySql = sql`SELECT pg_current_wal_lsn()::text AS position, (${versionsSql}) AS versions, ${timelineSql} AS timeline`
const standbySql = sql`SELECT pg_is_in_recovery() AND pg_last_wal_replay_lsn() >= $1::pg_lsn AS "isFresh", (${versionsSql}) AS versions`

export async function versionsSeen(db: Queryable): Promise<number> {
  const [row] = await db.query<{ versions: number }>(sql`SELECT (${versionsSql}) AS versions`)
  return row?.versions ?? 0
}

interface State {
  isUsed: boolean
  versions: number
  silence: AbortController
}

/** @param onChange called whenever a standby is put in or out of use. */
export function watchStandbys(
  primary: Db,
  standbys: readonly WatchedStandby[],
  onChange: (name: string, isUsed: boolean) => void,
  { lookMs, answerMs }: StandbyTimes = usualTimes,
): StandbyWatch {
  const states = standbys.map((): State => ({ isUsed: false, versions: 0, silence: new AbortController() }))
  let floor = 0
  /** The primary's position and timeline at the previous check. */
  let position = '0/0'
  let timeline: string | undefined

  const ask = <R extends object>(db: Db, text: string, values: readonly unknown[] = []): Promise<R | undefined> =>
    withinAwake(
      db.query<R>(text, values).then(([row]) => row),
      answerMs,
      () => undefined,
    ).catch(() => undefined)

  const set = (place: number, isUsed: boolean): void => {
    const state = states[place]
    if (!state || state.isUsed === isUsed) return
    state.isUsed = isUsed
    onChange(standbys[place]?.name ?? '', isUsed)
  }

  async function look(): Promise<void> {
    const previousPosition = position
    const [now] = await Promise.all([
      ask<{ position: string; versions: number; timeline: string }>(primary, primarySql),
      ...standbys.map(async ({ db }, place) => {
        const found = await ask<{ isFresh: boolean | null; versions: number }>(db, standbySql, [previousPosition])
        const state = states[place]
        if (!state) return
        if (!found) state.silence.abort(new Error('the standby is silent'))
        else if (state.silence.signal.aborted) state.silence = new AbortController()
        state.versions = found?.versions ?? 0
        set(place, found?.isFresh === true)
      }),
    ])
    // An unavailable primary writes nothing new, so its standbys have the newest data there is.
    if (!now) return
    position = now.position
    // A promoted standby that lacks data already shown has lost it for good; its versions continue from its own.
    const isSuccessor = timeline !== undefined && timeline !== now.timeline
    timeline = now.timeline
    floor = isSuccessor ? now.versions : Math.max(floor, now.versions)
  }

  const stopping = new AbortController()
  const watching = (async () => {
    while (!stopping.signal.aborted) {
      await look()
      await delay(lookMs, undefined, { signal: stopping.signal, ref: false }).catch(() => {})
    }
  })()
  return {
    usable: () => states.flatMap(({ isUsed, versions }, place) => (isUsed && versions >= floor ? [place] : [])),
    silence: (place) => (states[place] ?? { silence: new AbortController() }).silence.signal,
    floor: () => floor,
    saw(versions) {
      floor = Math.max(floor, versions)
    },
    leaveOut: (place) => set(place, false),
    usage() {
      const used = states.filter(({ isUsed }) => isUsed).length
      return { used, leftOut: states.length - used }
    },
    async stop() {
      stopping.abort()
      await watching
    },
  }
}
