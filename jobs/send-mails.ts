/**
 * send-mails e-mails accounts about their deliveries, if a mail server is configured. Each e-mail is claimed by one
 * worker.
 */
import { mailsAreDue, sendMails } from '../src/notify/mails/send-mails.ts'
import { createMailer, type SmtpSettings } from '../src/notify/mails/smtp.ts'
import { defineJob, type Job } from '../src/queue/define-job.ts'
import { queues } from '../src/queue/queues.ts'

const checkEveryMs = 2_000

interface MailJobOptions {
  readonly smtp?: SmtpSettings | undefined
  /** Base of the links to sign in. */
  readonly publicUrl?: string | undefined
}

export function sendMailsJob({ smtp, publicUrl }: MailJobOptions): Job<typeof queues.sendMails> {
  return defineJob(
    queues.sendMails,
    async (_payload, { db, signal }) => {
      if (!smtp) return { sent: 0 }
      const mailer = createMailer(smtp)
      try {
        return await sendMails(db, mailer, signal, publicUrl)
      } finally {
        mailer.close()
      }
    },
    {
      everyMs: checkEveryMs,
      async check(db, queue) {
        if (smtp && (await mailsAreDue(db))) await queue.send(db, queues.sendMails, {})
      },
    },
  )
}
