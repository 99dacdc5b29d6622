/** `panji sample generate`: snapshots in the registries' own formats, any size, seeded. */
import { resolve } from 'node:path'
import { generateSnapshots } from '../../../sample/generate-snapshots.ts'
import { table } from '../output.ts'
import { type Declare, prints } from './command.ts'
import { count } from './number-arguments.ts'
import { declareSampleNextDay } from './sample-next-day.ts'
import { declareSampleRemove } from './sample-remove.ts'

interface SampleOptions {
  readonly out: string
  readonly companies: number
  readonly gst: number
  readonly directors: number
  readonly seed: number
}

export const declareSample: Declare = (program, run) => {
  const sample = program.command('sample').description('invented registry data')
  declareSampleRemove(sample, run)
  declareSampleNextDay(sample, run)
  sample
    .command('generate')
    .description('write snapshot files with invented records and the noise of the real ones')
    .addHelpText('after', prints('{files: [{source, path, rows}]}'))
    .requiredOption('--out <dir>', 'folder to write into')
    .requiredOption('--companies <n>', 'rows of mca-companies', count)
    .requiredOption('--gst <n>', 'rows of gst-taxpayers', count)
    .requiredOption('--directors <n>', 'rows of mca-directors', count)
    .option('--seed <n>', 'same seed, same files', count, 1)
    .action((options: SampleOptions) =>
      run(async (context) => {
        const progress = context.out.progress('rows')
        const { files } = await generateSnapshots({
          ...options,
          outDir: resolve(options.out),
          signal: context.signal,
          onProgress: ({ source, rowsDone, rowsExpected }) => progress.update(source, rowsDone, rowsExpected),
        })
        progress.end()
        const answer = { files: files.map(({ source, path, rows }) => ({ source, path, rows })) }
        context.out.answer(answer, () =>
          table(
            ['source', 'rows', 'path'],
            files.map((file) => [file.source, file.rows, file.path]),
          ),
        )
      }),
    )
}
