/** Schedules that ship with Panji. Operators add rows of their own; cron is read in the given time zone. */
export interface ScheduleDefinition {
  readonly name: string
  readonly cron: string
  readonly timezone: string
  /** Name of a queue in src/queue/queues.ts. */
  readonly job: string
  readonly payload: Readonly<Record<string, unknown>>
}

export const schedules: readonly ScheduleDefinition[] = [
  // Midnight opens and closes date windows, so every window is counted again.
  { name: 'refresh-feeds', cron: '5 0 * * *', timezone: 'Asia/Kolkata', job: 'refresh-feeds', payload: {} },
  // After an upgrade, or a job that was lost, the words of names are still collected; else this finds nothing to do.
  { name: 'collect-words', cron: '35 * * * *', timezone: 'Asia/Kolkata', job: 'collect-words', payload: {} },
  { name: 'sweep-expired', cron: '17 * * * *', timezone: 'Asia/Kolkata', job: 'sweep-expired', payload: {} },
]
