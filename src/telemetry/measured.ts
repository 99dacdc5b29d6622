/**
 * What this process measures while it works, as histograms on its /metrics. Labels are names of ours, never
 * identifiers.
 */
import { Histogram, Registry } from 'prom-client'

export const measured = new Registry()
const registers = [measured]

/** How an attempt at a job ended. */
export type JobOutcome = 'completed' | 'put_off' | 'retried' | 'failed'

export const jobSeconds = new Histogram({
  name: 'panji_job_duration_seconds',
  help: 'Job attempts of this process by queue and outcome: completed, put_off, retried (failed, will be retried), failed (permanently).',
  labelNames: ['queue', 'outcome'] as const,
  buckets: [0.01, 0.05, 0.1, 0.5, 1, 5, 15, 60, 300, 900, 3600],
  registers,
})

export const crmCallSeconds = new Histogram({
  name: 'panji_crm_call_duration_seconds',
  help: 'Calls of this process to CRMs by CRM and status class; none: no response.',
  labelNames: ['crm', 'status'] as const,
  buckets: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120],
  registers,
})

export const orderToLeadSeconds = new Histogram({
  name: 'panji_order_to_lead_seconds',
  help: 'Leads by the time since their order was paid: built, and delivered (acknowledged by the CRM for the first time).',
  labelNames: ['stage'] as const,
  buckets: [1, 5, 15, 30, 60, 120, 300, 900, 3600, 14_400, 86_400],
  registers,
})
