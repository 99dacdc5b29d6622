/** Limits on a response. */
import { heldAnswerBounds, httpBounds } from '../../../config/http-bounds.ts'
import { openAnswers } from '../../../config/plans.ts'
import { bytes, seconds } from '../figures.ts'
import { httpFile, type Limits, plansFile } from './limit.ts'

export const answerLimits = {
  delayedToAnonymous: {
    what: `Answers to anonymous clients, each ${bytes(heldAnswerBounds.bytesPerUnit)} of it as one`,
    of: 'address; process',
    held: 'bucket',
    figures: () =>
      [heldAnswerBounds.address, heldAnswerBounds.inAll]
        .map(({ atOnce, perSecond }) => `${atOnce} at once, ${perSecond} a second`)
        .join('; '),
    answer: {
      instead: `delayed by ${seconds(heldAnswerBounds.heldMs)} each, ${seconds(heldAnswerBounds.heldMsMax)} at most`,
    },
    setBy: httpFile,
  },
  delayedRefusals: {
    what: 'Refusals with 429',
    of: 'account',
    held: 'bucket',
    figures: () => `${heldAnswerBounds.account.atOnce} at once, ${heldAnswerBounds.account.perSecond} a second`,
    answer: { instead: `delayed by ${seconds(heldAnswerBounds.heldMs)}` },
    setBy: httpFile,
  },
  delayedProbes: {
    what: '/healthz and /readyz',
    of: 'connection',
    held: 'bucket',
    figures: () => `${heldAnswerBounds.probe.atOnce} at once, ${heldAnswerBounds.probe.perSecond} a second`,
    answer: { instead: `delayed by ${seconds(heldAnswerBounds.heldMs)}` },
    setBy: httpFile,
  },
  silence: {
    what: 'A connection on which no byte moves while an answer is due',
    of: 'connection',
    held: 'server',
    figures: () => `${seconds(httpBounds.silenceMs)}; ${openAnswers.idleSeconds} s of an export`,
    answer: { instead: 'closed' },
    setBy: `${httpFile}, ${plansFile}`,
  },
  slowReaders: {
    what: 'How slowly an export may be read, while it waits for its reader',
    of: 'answer',
    held: 'server',
    figures: () => `${bytes(openAnswers.slow.bytesPerSecond)} a second over ${openAnswers.slow.seconds} s`,
    answer: { instead: 'closed' },
    setBy: plansFile,
  },
} as const satisfies Limits
