/** Validates a schedule before it is stored. */
import type { ScheduleDefinition } from '../../../config/schedules.ts'
import { faultWords } from '../../domain/fault-words.ts'
import { AppError } from '../../errors.ts'
import { type QueueDefinition, queues } from '../queues.ts'
import { cronFault } from './due-slots.ts'

/** @throws AppError BAD_REQUEST listing all errors at once. */
export function checkSchedule(candidate: ScheduleDefinition): void {
  const faults = [
    ...nameFaults(candidate.name),
    ...cronFaults(candidate.cron),
    ...zoneFaults(candidate.timezone),
    ...jobFaults(candidate),
  ]
  if (faults.length > 0) throw new AppError('BAD_REQUEST', `The schedule is invalid. ${faults.join('; ')}.`)
}

function nameFaults(name: string): string[] {
  return /^[a-z0-9][a-z0-9-]{0,62}$/.test(name)
    ? []
    : [`name: "${name}" must be lower-case letters, digits and hyphens, at most 63`]
}

function cronFaults(expression: string): string[] {
  if (![5, 6].includes(expression.trim().split(/\s+/).length)) {
    return [
      `cron: "${expression}" has ${expression.trim().split(/\s+/).length} fields; it has minute, hour, day, month and weekday, with seconds before them if wanted`,
    ]
  }
  // The time zone is checked separately; the expression is valid or not in any zone.
  const fault = cronFault(expression, 'UTC')
  return fault === undefined ? [] : [`cron: "${expression}": ${fault}`]
}

function zoneFaults(timezone: string): string[] {
  try {
    new Intl.DateTimeFormat('en', { timeZone: timezone })
    return []
  } catch {
    return [`timezone: "${timezone}" is unknown; it is a name like Asia/Kolkata`]
  }
}

function jobFaults({ job, payload }: ScheduleDefinition): string[] {
  const definitions = Object.values<QueueDefinition>(queues)
  const definition = definitions.find(({ name }) => name === job)
  if (!definition) return [`job: "${job}" is none of ${definitions.map(({ name }) => name).join(', ')}`]
  const parsed = definition.payload.safeParse(payload, { error: faultWords })
  return parsed.success
    ? []
    : parsed.error.issues.map((issue) => `payload of ${job}: ${issue.path.join('.')}: ${issue.message}`)
}
