/**
 * Which standbys may be read: those that have replayed what the primary held a second ago, and each version of a register that
 * any read of this process has seen. Asked once a second; one that is silent, behind or promoted is left out until it is neither.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { withinAwake } from '../../domain/awake-time.ts'
import type { Db, Queryable } from '../db.ts'
import { sql } from '../sql.ts'
import { timelineSql } from '../timeline.ts'

export interface StandbyTimes {
  readonly lookMs: number
  /** What a server has to answer a look in. */
  readonly answerMs: number
}
const usualTimes: StandbyTimes = { lookMs: 1_000, answerMs: 2_000 }

export interface WatchedStandby {
  /** Host and port, for the log. */
  readonly name: string
  /** A connection of its own: what is asked here waits for no read. */
  readonly db: Db
}

export interface StandbyUsage {
  readonly used: number
  readonly leftOut: number
}

export interface StandbyWatch {
  /** The places of those that may be read, of which each answered within the last look. */
  usable(): readonly number[]
  /** Aborts once the standby at `place` is found silent, so that nobody waits for it in vain; a new one when it is back. */
  silence(place: number): AbortSignal
  /** The sum of the registers' versions below which no read may fall. */
  floor(): number
  /** A read has seen this sum. */
  saw(versions: number): void
  /** A read found the standby away or behind: it is left out until a look says otherwise. */
  leaveOut(place: number): void
  usage(): StandbyUsage
  stop(): Promise<void>
}

/** On one timeline versions only rise, so their sum says which of two moments of the registers is the later one. */
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

/** @param onChange is told whenever a standby comes or goes. */
export function watchStandbys(
  primary: Db,
  standbys: readonly WatchedStandby[],
  onChange: (name: string, isUsed: boolean) => void,
  { lookMs, answerMs }: StandbyTimes = usualTimes,
): StandbyWatch {
  const states = standbys.map((): State => ({ isUsed: false, versions: 0, silence: new AbortController() }))
  let floor = 0
  /** Where the primary was at the look before, and on which timeline. */
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
    const asked = position
    const [now] = await Promise.all([
      ask<{ position: string; versions: number; timeline: string }>(primary, primarySql),
      ...standbys.map(async ({ db }, place) => {
        const found = await ask<{ isFresh: boolean | null; versions: number }>(db, standbySql, [asked])
        const state = states[place]
        if (!state) return
        if (!found) state.silence.abort(new Error('the standby is silent'))
        else if (state.silence.signal.aborted) state.silence = new AbortController()
        state.versions = found?.versions ?? 0
        set(place, found?.isFresh === true)
      }),
    ])
    // A primary that is away says nothing new: what its standbys hold is the newest there is.
    if (!now) return
    position = now.position
    // A successor that lacks what was shown has lost it for good, and its versions rise from where it stands.
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
