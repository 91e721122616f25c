import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, expect, test } from 'vitest'

// Inside the package, so that the extension finds TypeScript and the SDK.
const home = await mkdtemp(join(import.meta.dirname, '.temperatures-'))
afterAll(() => rm(home, { recursive: true, force: true }))

const page = new URL('../../../docs/extensions/temperatures.md', import.meta.url)
const blocks = [...(await readFile(page, 'utf8')).matchAll(/^```\w+ (\S+)\n([^]*?)^```$/gm)]
const template = join(import.meta.dirname, '../../create-pult-extension/template/tsconfig.json')

test('the tutorial’s dashboard passes the check and has at most 150 lines of code', async () => {
  const code = blocks.filter(([, path]) => path !== 'manifest.json').map(([, , text = '']) => text)
  expect(code.join('').trim().split('\n').length).toBeLessThanOrEqual(150)
  const files = {
    'package.json': '{ "type": "module" }',
    'tsconfig.json': await readFile(template, 'utf8'),
    'vite.config.mjs': `
      import { pultExtension } from ${JSON.stringify(join(import.meta.dirname, 'vite.ts'))}
      export default { plugins: [pultExtension()], logLevel: 'silent' }`,
    ...Object.fromEntries(blocks.map(([, path = '', text = '']) => [path, text])),
  }
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(home, path)), { recursive: true })
    await writeFile(join(home, path), text)
  }
  // With the test runner's NODE_ENV, Vite would compile JSX for the development build of React.
  const env = { ...process.env, NODE_ENV: 'production' }
  const command = join(import.meta.dirname, 'command.ts')
  const { stdout } = await promisify(execFile)(process.execPath, [command, 'check'], {
    cwd: home,
    env,
  }).catch((error: unknown) => Promise.reject(new Error(String((error as { stderr?: unknown }).stderr))))
  expect(stdout).toContain('temperatures 0.1.0 is ready to be packed')
})
