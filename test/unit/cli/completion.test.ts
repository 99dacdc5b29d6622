/** What a shell offers after the words that were typed, asked of a real bash. */
import { spawnSync } from 'node:child_process'
import { describe, expect, test } from 'vitest'
import { completionScript, shells } from '../../../src/cli/completion-script.ts'
import { buildProgram } from '../../../src/cli/program.ts'

const program = await buildProgram(async () => {})

function offered(...words: string[]): string[] {
  const script = [
    completionScript(program, 'bash'),
    `COMP_WORDS=(panji ${words.map((word) => `'${word}'`).join(' ')})`,
    `COMP_CWORD=${words.length}`,
    '_panji',
    `printf "%s\\n" "\${COMPREPLY[@]}"`,
  ].join('\n')
  const { stdout, stderr } = spawnSync('bash', ['-c', script], { encoding: 'utf8', cwd: '/' })
  expect(stderr).toBe('')
  return stdout.trim().split('\n')
}

describe.skipIf(spawnSync('bash', ['--version']).status !== 0)('bash', () => {
  test('offers commands, those of a group, what an argument may be, and options', () => {
    expect(offered('ru')).toEqual(['runs'])
    expect(offered('account', 'key', '')).toEqual(expect.arrayContaining(['create', 'list', 'revoke', '--help']))
    expect(offered('ingest', 'mca-c')).toEqual(['mca-companies'])
    expect(offered('undo', '12', '--th')).toEqual(['--through'])
  })

  test('leaves files to the shell where no word of ours fits: names with blanks stay one', () => {
    expect(offered('ingest', 'mca-companies', '/et')).toEqual([''])
    const script = `${completionScript(program, 'bash')}\ncomplete -p panji`
    const { stdout } = spawnSync('bash', ['-c', script], { encoding: 'utf8' })
    expect(stdout.trim()).toBe('complete -o default -F _panji panji')
  })
})

test.each(shells)('%s is told of every command', (shell) => {
  const script = completionScript(program, shell)
  for (const command of program.commands) expect(script).toContain(command.name())
})
