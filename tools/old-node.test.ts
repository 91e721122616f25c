import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { builtinModules } from 'node:module'
import { join } from 'node:path'
import { sized } from '@pult/testkit'
import { expect, test } from 'vitest'
import { buildEdgeAgent } from './build-edge-agent.ts'
import { root } from './steps.ts'
import { thirdPartyModules } from './third-party/third-party-tool.ts'

const agent = join(root, 'dist/edge-agent/edge-agent.mjs')

/** Runs a file with a version of Node, and returns its exit code and output. */
const run = (node: string, args: string[], settings: Record<string, string> = {}) =>
  new Promise<{ code: unknown; output: string }>((resolve) => {
    execFile(node, args, { env: { PATH: process.env['PATH'], ...settings } }, (error, stdout, stderr) =>
      resolve({ code: error?.code ?? 0, output: stdout + stderr }),
    )
  })

/** Makes Node claim another version before the file begins. */
const pretend = (version: string) => [
  '--import',
  `data:text/javascript,Object.defineProperty(process.versions, 'node', { value: '${version}' })`,
]

const tooOldForAgent = (version: string) =>
  `The agent needs Node 22 or later, this is ${version}. Install a newer one from https://nodejs.org\n`

test.each(['12.22.12', '18.20.8', '20.20.2'])(
  'FlowFuse/device-agent#37 the agent under Node %s names the version that it needs, and no service restarts it',
  async (version) => {
    await buildEdgeAgent()
    for (const args of [[], ['--version'], ['--server', 'http://127.0.0.1:9', '--code', 'A']])
      expect(await run(process.execPath, [...pretend(version), agent, ...args])).toEqual({
        code: 78,
        output: tooOldForAgent(version),
      })
  },
)

test.each(['tools/start.mjs', 'apps/server/src/main.mjs'])(
  '%s under Node 22 names the version that the server needs, and no service restarts it',
  async (file) => {
    expect(await run(process.execPath, [...pretend('22.1.0'), join(root, file), '--once'])).toEqual({
      code: 78,
      output: 'Pult needs Node 24 or later, this is 22.1.0. "npm start" uses a right one.\n',
    })
    const { output } = await run(process.execPath, [...pretend('22.1.0'), join(root, file), '--once'], {
      LOG_FORMAT: 'json',
    })
    expect(JSON.parse(output)).toMatchObject({ level: 'fatal', msg: expect.stringContaining('Node 24') })
  },
)

test('the agent imports only modules of Node, apart from optional ones, and nothing for one machine type', async () => {
  await buildEdgeAgent()
  const text = await readFile(agent, 'utf8')
  const loaded = [...text.matchAll(/\b(?:require|import)\("([^"]+)"\)/g)].map(([, name = '']) => name)
  const optional = ['@elgato-stream-deck/node', 'bufferutil', 'utf-8-validate']
  const isOfNode = (name: string) => builtinModules.includes(name.replace(/^node:/, ''))
  expect(new Set(loaded.filter((name) => !isOfNode(name)))).toEqual(new Set(optional))
  expect(text).not.toMatch(/\.node['"`]|linux-x64|linux-arm64/)
})

/** The package of npm with the program of one version of Node. */
const programOf = (version: string) => `node-${process.platform}-${process.arch}@${version}`

test.for([
  ['12.22.12', false],
  ['18.20.8', false],
  ['20.20.2', false],
  ['22.23.3', true],
  ['24.21.0', true],
] as const)(
  'FlowFuse/device-agent#37 the agent is read by the real Node %s',
  { tags: ['long'], timeout: 300_000 },
  async ([version, isNewEnough], { skip }) => {
    const found = await thirdPartyModules(`Node ${version}`, [programOf(version)], {
      mayRun: sized(false, true),
    })
    if (typeof found !== 'string') return skip(found.reason)
    const node = join(found, programOf(version).split('@')[0] ?? '', 'bin/node')
    expect(existsSync(node)).toBe(true)
    await buildEdgeAgent()
    const [asked, mistaken] = [
      await run(node, [agent, '--version']),
      await run(node, [agent, '--server', 'example.org', '--code', 'A']),
    ]
    expect([asked.code, mistaken.code]).toEqual(isNewEnough ? [0, 64] : [78, 78])
    expect(mistaken.output).toContain(isNewEnough ? 'does not begin with https://' : tooOldForAgent(version))
  },
)
