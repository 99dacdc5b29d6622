/** send-alerts notifies operators through the configured channels. Each alert is claimed by one worker. */
import { createMailer, type SmtpSettings } from '../src/notify/mails/smtp.ts'
import { type AlertParts, alertsAreDue, sendAlerts } from '../src/notify/operators/send-alerts.ts'
import { defineJob } from '../src/queue/define-job.ts'
import { queues } from '../src/queue/queues.ts'

const checkEveryMs = 2_000

type AlertJobOptions = Pick<AlertParts, 'secretKey' | 'allowPrivate' | 'publicUrl'> & {
  readonly smtp: SmtpSettings | undefined
}

export const sendAlertsJob = ({ smtp, ...options }: AlertJobOptions) =>
  defineJob(
    queues.sendAlerts,
    async (_payload, { db, signal }) => {
      const mailer = smtp && createMailer(smtp)
      try {
        return await sendAlerts({ ...options, db, mailer }, signal)
      } finally {
        mailer?.close()
      }
    },
    {
      everyMs: checkEveryMs,
      async check(db, queue) {
        if (await alertsAreDue(db)) await queue.send(db, queues.sendAlerts, {})
      },
    },
  )
