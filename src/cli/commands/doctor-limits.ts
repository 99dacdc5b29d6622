/** The limits of this installation in the order in which a call meets them, printed by the doctor. */
import { errorCodes } from '../../errors.ts'
import { stages } from '../../limits/limits.ts'
import type { Limit, LimitSettings } from '../../limits/stages/limit.ts'

export interface LimitShown {
  readonly stage: string
  readonly name: string
  readonly what: string
  readonly counted_by: string
  readonly held_by: string
  readonly figures: string
  readonly answer: string
  readonly retry_after: string | null
  readonly set_by: string
}

export const limitsShown = (set: LimitSettings): LimitShown[] =>
  stages.flatMap(({ title, limits }) =>
    Object.entries(limits).map(([name, { what, of, held, figures, answer, setBy }]) => ({
      ...{ stage: title, name, what, counted_by: of, held_by: held, figures: figures(set), set_by: setBy },
      ...answerShown(answer),
    })),
  )

export const limitsText = (shown: readonly LimitShown[]): string =>
  shown
    .flatMap(({ stage, what, counted_by, figures, answer, retry_after, set_by }, place) => [
      ...(stage === shown[place - 1]?.stage ? [] : [`${stage}:`]),
      `  ${what} (by ${counted_by}): ${figures} -> ${answer}${retry_after === null ? '' : `, Retry-After ${retry_after}`} [${set_by}]`,
    ])
    .join('\n')

const answerShown = (answer: Limit['answer']): Pick<LimitShown, 'answer' | 'retry_after'> =>
  'code' in answer
    ? { answer: `${errorCodes[answer.code]} ${answer.code}`, retry_after: answer.retryAfter ?? null }
    : { answer: answer.instead, retry_after: null }
