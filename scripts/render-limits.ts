/** docs/limits.md: the table of `src/limits`, with the values in `config`. */
import { errorCodes } from '../src/errors.ts'
import { stages, usualSettings } from '../src/limits/limits.ts'
import type { Limit } from '../src/limits/stages/limit.ts'

export const renderLimits =
  (): string => `<!-- Made by \`npm run docs\` from \`src/limits/limits.ts\` and \`config\`; changes made here are lost. -->

# Limits

Every way in which a call is slowed, counted or refused, in the order in which a call meets them. A call that meets two is answered by
the first. Addresses are counted as they are, those of IPv6 by /64. \`panji doctor\` prints the same table with the figures of your environment.

- **counter**: rows of PostgreSQL, exact for all processes together.
- **bucket**: a token bucket in the memory of each process; a restart fills it.
- **gate**: places of each process, with a queue where it says so.
- **stored rows**: counted where they are stored.
- **server**: a clock or a size of the HTTP server.

${stages.map(({ title, limits }) => chapter(title, Object.values(limits))).join('\n')}`

const head = ['limit', 'counted by', 'held by', 'figures', 'answer', '`Retry-After`', 'set by']

function chapter(title: string, limits: readonly Limit[]): string {
  const rows = [head, ...limits.map(cellsOf)]
  const widths = head.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  const line = (cells: readonly string[], fill = ' ') =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0, fill)).join(' | ')} |`
  const [titles = '', ...others] = rows.map((row) => line(row))
  const rule = line(
    head.map(() => ''),
    '-',
  )
  return `## ${title}\n\n${[titles, rule, ...others].join('\n')}\n`
}

function cellsOf({ what, of, held, figures, answer, setBy }: Limit): string[] {
  const [said, retryAfter] =
    'code' in answer ? [`${errorCodes[answer.code]} \`${answer.code}\``, answer.retryAfter ?? ''] : [answer.instead, '']
  const places = setBy.split(', ').map((place) => `\`${place}\``)
  return [what, of, held, figures(usualSettings), said, retryAfter, places.join(', ')]
}
