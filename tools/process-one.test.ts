import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const namespaces = spawnSync('unshare', ['--pid', '--fork', '--mount-proc', 'true'])
const module = join(import.meta.dirname, 'process-one.mjs')

/** Prints the warning of a child of process 1, whose name is the given one. */
function warningBelow(title: string): string {
  const child = `import(${JSON.stringify(module)}).then(({ processOneWarning }) =>
    console.log(processOneWarning({ npm_lifecycle_event: 'start' }) ?? 'none'))`
  const first = `process.title = ${JSON.stringify(title)}
    const { stdout } = require('child_process').spawnSync(process.execPath, ['-e', ${JSON.stringify(child)}])
    process.stdout.write(stdout)`
  const args = ['--pid', '--fork', '--mount-proc', process.execPath, '-e', first]
  return spawnSync('unshare', args, { encoding: 'utf8' }).stdout.trim()
}

test.skipIf(namespaces.status !== 0)('npm start as process 1 of a container names the right command', () => {
  expect(warningBelow('npm start')).toContain('use the command node tools/start.mjs instead')
  expect(warningBelow('tini')).toBe('none')
})
