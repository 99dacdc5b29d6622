/** Conditions among samples: bounds, groups, shares and absences, as the rules for Prometheus ask for them. */
import { expect, test } from 'vitest'
import { conditions } from '../../../config/conditions.ts'
import { fillIn } from '../../../src/health/fill-in.ts'
import { findConditions, type Sample, type Samples } from '../../../src/health/find-conditions.ts'
import { leastRoom } from '../../../src/health/readings/disk-metrics.ts'

const well: Readonly<Record<string, number>> = {
  panji_ledger_checked_age_seconds: 60,
  panji_audit_verified_age_seconds: 60,
  panji_backup_age_seconds: 60,
  panji_backup_restored_age_seconds: 60,
}
const samplesOf = (more: Readonly<Record<string, readonly Sample[]>> = {}): Samples =>
  new Map([
    ...Object.entries(well).map(([name, value]) => [name, [{ labels: {}, value }]] as const),
    ...Object.entries(more),
  ])
const found = (more: Readonly<Record<string, readonly Sample[]>>) =>
  findConditions(samplesOf(more), 'here').map(({ cause, summary }) => [cause, summary])

test('where all is well nothing is found, and where nothing is known only what is absent', () => {
  expect(found({})).toEqual([])
  expect(findConditions(new Map(), 'here').map(({ type }) => type)).toEqual(['verification.absent', 'backup.absent'])
})

test('a bound is exceeded, not met, and the largest sample of a group speaks for it', () => {
  const dead = (...values: number[]) => found({ panji_dead_letters: values.map((value) => ({ labels: {}, value })) })
  expect(dead(0)).toEqual([])
  expect(dead(1, 3, 2)).toEqual([['jobs.dead', 'jobs in the dead-letter queue: 3']])
  const late = (seconds: number) =>
    found({ panji_database_replica_lag_seconds: [{ labels: { replica: 'b' }, value: seconds }] })
  expect([late(60), late(61)]).toEqual([[], [['replica.late replica=b', 'standby b is 1m 1s behind']]])
})

test('each group is a cause of its own, and samples of other labels are none', () => {
  const event = (outcome: string, value: number) => ({ labels: { outcome }, value })
  expect(
    found({ panji_payment_events_open: [event('parked', 2), event('credited', 9), event('disputed', 1)] }),
  ).toEqual([
    ['payment.parked outcome=parked', 'payments that need an operator, parked: 2'],
    ['payment.parked outcome=disputed', 'payments that need an operator, disputed: 1'],
  ])
})

test('a disk is low by the share that is free, in the process that was measured', () => {
  const disk = (free: number) =>
    found({
      panji_disk_bytes: [
        { labels: { state: 'free' }, value: free },
        { labels: { state: 'total' }, value: 1000 },
      ],
    })
  expect(disk(100)).toEqual([])
  expect(disk(99)).toEqual([['disk.low instance=here', "here: 9.9% of the data directory's disk is free"]])
})

test('a disk with few free inodes is reported however many bytes are free, and one without a count is not', () => {
  const disk = (free: number) => [
    { labels: { state: 'free' }, value: free },
    { labels: { state: 'total' }, value: 1000 },
  ]
  expect(found({ panji_disk_bytes: disk(900), panji_disk_files: disk(99) })).toEqual([
    ['disk.few_files instance=here', "here: 9.9% of the inodes of the data directory's disk are free"],
  ])
  expect(found({ panji_disk_bytes: disk(900), panji_disk_files: [] })).toEqual([])
})

test('of several disks, the one with the smallest free share is reported, and those without a count are ignored', () => {
  const small = { free: 10, total: 1000 }
  expect(leastRoom([{ free: 20, total: 30 }, small, { free: 0, total: 0 }])).toEqual(small)
  expect(leastRoom([{ free: 0, total: 0 }])).toBeUndefined()
})

test.each([
  [0, '0s'],
  [59.9, '59s'],
  [8160, '2h 16m 0s'],
  [3_892_600, '45d 1h 16m 40s'],
  [-90, '-1m 30s'],
])('%d seconds are written %s', (seconds, text) => {
  expect(fillIn('{{ $value | humanizeDuration }}', {}, seconds)).toBe(text)
})

test('every word of every condition is filled in', () => {
  for (const { summary } of conditions) expect(fillIn(summary, {}, 1)).not.toMatch(/[{}$]/)
})
