/** The content of an alert: as the data of a webhook, and as text. Pure. */
import { z } from 'zod'
import { type ConditionType, conditions } from '../../../config/conditions.ts'

const types = conditions.map(({ type }) => type) as [ConditionType, ...ConditionType[]]

const Condition = z.object({
  type: z.enum(types).describe('Type of the condition'),
  cause: z.string().describe('Identifies the cause; the same again when it returns'),
  severity: z.enum(['page', 'ticket']),
  summary: z.string(),
  remedy: z.string().describe('What to do about it'),
  since: z.iso.datetime(),
})

export const alertType = 'conditions.changed'
/** Sent to the webhooks of operators, in the form of the events of accounts. */
export const AlertData = z.object({
  test: z.boolean().describe('A test of the channel; nothing has changed'),
  opened: z.array(Condition).describe('Conditions that hold, reported for the first time or again'),
  resolved: z.array(Condition).describe('Conditions that were reported and no longer hold'),
})
export type AlertData = z.output<typeof AlertData>
export type ReportedCondition = z.output<typeof Condition>

export const alertExample: AlertData = {
  test: false,
  opened: [
    {
      ...{ type: 'import.needs_approval', cause: 'import.needs_approval run=15 source=mca-companies' },
      ...{ severity: 'ticket', since: '2026-11-23T17:06:39.105Z' },
      summary: 'import 15 of mca-companies needs approval, waiting for 1m 4s',
      remedy: '`panji runs` shows why. Approve it with `panji approve` or discard it with `panji discard`.',
    },
  ],
  resolved: [],
}

export interface AlertText {
  readonly subject: string
  readonly text: string
}

const counted = (count: number) => (count === 1 ? '1 condition' : `${count} conditions`)

/** @param publicUrl base URL of the console, if known. */
export function alertText({ test, opened, resolved }: AlertData, publicUrl?: string): AlertText {
  const where = publicUrl === undefined ? [] : ['', `${publicUrl}/console`]
  if (test)
    return {
      subject: 'Panji: test alert',
      text: ['This is a test of this channel. No action is needed.', ...where].join('\n'),
    }
  const [first] = [...opened, ...resolved]
  const parts = [
    ...(opened.length > 0 ? [`${counted(opened.length)} ${opened.length === 1 ? 'needs' : 'need'} attention`] : []),
    ...(resolved.length > 0 ? [`${counted(resolved.length)} resolved`] : []),
  ]
  const only = opened.length + resolved.length === 1 && first
  const lines = [
    ...opened.flatMap(({ severity, summary, remedy }) => [`[${severity}] ${summary}`, `  ${remedy}`]),
    ...resolved.map(({ summary }) => `[resolved] ${summary}`),
  ]
  return {
    subject: `Panji: ${only ? `${resolved.length === 1 ? 'resolved: ' : ''}${only.summary}` : parts.join(', ')}`.slice(
      0,
      200,
    ),
    text: [...lines, ...where].join('\n'),
  }
}
