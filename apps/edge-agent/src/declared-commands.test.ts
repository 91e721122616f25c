import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readConfig } from './config.ts'
import { createDeclaredCommands } from './declared-commands.ts'
import { reasonOf } from './state.ts'
import { temporaryFolder } from './testing/temporary-folder.ts'

const parameters = {
  name: { type: 'string', maxLength: 20 },
  volume: { type: 'number', min: 0, max: 10, isWhole: true, default: 5 },
  loop: { type: 'boolean', default: false },
  'play-list': { type: 'choice', options: ['day', 'night'] },
}

async function configured(commands: object) {
  const file = join(await temporaryFolder(), 'config.json')
  await writeFile(file, JSON.stringify({ commands }))
  return readConfig(file)
}

async function started(key: string, values: Record<string, string | number | boolean>, commands: object) {
  const lines: string[] = []
  const declared = createDeclaredCommands((await configured(commands)).commands)
  const outcome = await declared
    .run(key, values, (line) => lines.push(line))
    .then(
      (info) => ({ info }),
      (error: unknown) => ({ error: reasonOf(error) }),
    )
  return { ...outcome, lines }
}

test('a declared command receives typed values as arguments and in its environment, without a shell', async () => {
  const run = [
    '/bin/sh',
    '-c',
    'printf "%s\\n" "$0" "$@" "$PULT_VOLUME $PULT_LOOP $PULT_PLAY_LIST"',
    '--name={name}',
    '{loop}',
  ]
  const commands = { play: { label: 'Play', run, parameters } }
  const name = '$(id); "a" *'
  expect(await started('play', { name, 'play-list': 'night' }, commands)).toEqual({
    info: 'Play: done.',
    lines: [`--name=${name}`, 'false', '5 false night'],
  })
})

test.each([
  [
    'a value outside its limits',
    { name: 'a', 'play-list': 'night', volume: 11 },
    'volume is outside its limits',
  ],
  ['half a number', { name: 'a', 'play-list': 'night', volume: 1.5 }, 'volume is outside its limits'],
  ['a value of another type', { name: 'a', 'play-list': 'night', loop: 'yes' }, 'loop is outside its limits'],
  ['a choice that is not offered', { name: 'a', 'play-list': 'dusk' }, 'play-list is outside its limits'],
  ['a long text', { name: 'a'.repeat(21), 'play-list': 'day' }, 'name is outside its limits'],
  ['no value', { 'play-list': 'day' }, 'name is missing'],
  ['a value of no parameter', { name: 'a', 'play-list': 'day', path: '/' }, 'path is not declared'],
])('a declared command refuses %s and starts nothing', async (_what, values, reason) => {
  const file = join(await temporaryFolder(), 'ran')
  const commands = { play: { run: ['/usr/bin/touch', file], parameters } }
  expect(await started('play', values, commands)).toEqual({ error: `The value ${reason}`, lines: [] })
  await expect(readFile(file)).rejects.toMatchObject({ code: 'ENOENT' })
})

const text = { type: 'string', maxLength: 40 }

test.each([
  ['as a whole argument', ['/bin/echo', '{name}'], '--version'],
  ['at the start of an argument', ['/bin/echo', '{name}.mp4'], '--file=/etc/hostname'],
  ['behind an empty text', ['/bin/echo', '{empty}{name}'], '-rf'],
  ['before `--`', ['/bin/echo', '{name}', '--', 'all'], '-v'],
])(
  'a text that begins with a dash is refused %s, because the program would take it as an option',
  async (_where, run, name) => {
    const commands = { play: { run, parameters: { name: text, empty: { ...text, default: '' } } } }
    const { error, lines } = (await started('play', { name }, commands)) as { error: string; lines: string[] }
    expect(error).toMatch(/^The value name begins with a dash.*put "--" before \{name\}/)
    expect(lines).toEqual([])
  },
)

test.each([
  ['behind `--`', ['/bin/echo', '--', '{name}'], { name: text }, '-- -x'],
  ['inside an argument', ['/bin/echo', 'name={name}'], { name: text }, 'name=-x'],
  ['as a default of the settings', ['/bin/echo', '{name}'], { name: { ...text, default: '-x' } }, '-x'],
  [
    'as a choice of the settings',
    ['/bin/echo', '{name}'],
    { name: { type: 'choice', options: ['-x'] } },
    '-x',
  ],
  ['as a number', ['/bin/echo', '{name}'], { name: { type: 'number', min: -5, max: 5 } }, '-5'],
])('a value that begins with a dash is accepted %s', async (_where, run, given, line) => {
  const name = line === '-5' ? -5 : '-x'
  expect(await started('play', { name }, { play: { run, parameters: given } })).toEqual({
    info: 'play: done.',
    lines: [line],
  })
})

test.each(['a\nb', 'a\u001b[31m', 'a\u0000', 'half \ud800'])(
  'a text with a line break, a control character or half a character is refused: %j',
  async (name) => {
    const commands = { play: { run: ['/bin/echo', 'name={name}'], parameters: { name: text } } }
    expect(await started('play', { name }, commands)).toEqual({
      error: 'The value name is outside its limits',
      lines: [],
    })
  },
)

test('a parameter with the name of an inherited property has its default', async () => {
  const constructor = { type: 'string', maxLength: 40, default: 'own' }
  const commands = { play: { run: ['/bin/echo', 'is={constructor}'], parameters: { constructor } } }
  expect(await started('play', {}, commands)).toEqual({ info: 'play: done.', lines: ['is=own'] })
})

test('an undeclared command is refused', async () => {
  expect(await started('halt', {}, {})).toMatchObject({
    error: 'The settings of the agent do not declare the command halt',
  })
})

test('a command that takes too long is killed with the processes that it has started', async () => {
  const run = ['/bin/sh', '-c', 'sleep 600 & echo "child $!"; wait']
  const { error, lines } = (await started('wait', {}, { wait: { run, seconds: 1 } })) as {
    error: string
    lines: string[]
  }
  expect(error).toBe('It took longer than 1 s')
  const child = Number(lines[0]?.replace('child ', ''))
  await expect.poll(() => isRunning(child)).toBe(false)
})

test('the server receives only the last lines of a long output', async () => {
  const run = ['/bin/sh', '-c', 'seq 100000']
  const { lines } = await started('count', {}, { count: { run } })
  expect(lines).toHaveLength(40)
  expect(lines.at(-1)).toBe('100000')
})

test.each([
  [
    'an unknown field',
    { x: { run: ['a'], parameters: { p: { type: 'boolean', deflaut: true } } } },
    'deflaut',
  ],
  ['an unknown type', { x: { run: ['a'], parameters: { p: { type: 'shell' } } } }, 'type'],
  ['a placeholder without parameter', { x: { run: ['a', '{q}'] } }, 'no parameter q'],
  [
    'a program that depends on a value',
    { x: { run: ['{q}'], parameters: { q: { type: 'boolean' } } } },
    'depends',
  ],
  [
    'a default outside its limits',
    { x: { run: ['a'], parameters: { p: { type: 'number', min: 0, max: 1, default: 2 } } } },
    'default',
  ],
  [
    'a minimum above its maximum',
    { x: { run: ['a'], parameters: { p: { type: 'number', min: 2, max: 1 } } } },
    'a minimum above',
  ],
  ['a key in capitals', { X: { run: ['a'] } }, 'not usable'],
  ['no program', { x: { run: [] } }, 'not usable'],
  [
    'declarations that are too large for a report',
    Object.fromEntries(
      Array.from({ length: 50 }, (_, index) => [
        `x${index}`,
        {
          label: 'x'.repeat(200),
          run: ['a'],
          parameters: { p: { type: 'choice', options: ['y'.repeat(100)] } },
        },
      ]),
    ),
    'bytes',
  ],
])('settings whose commands have %s are refused', async (_what, commands, reason) => {
  await expect(configured(commands)).rejects.toThrow(reason)
})

/** Returns whether a process runs. A zombie has ended. */
const isRunning = async (pid: number) => {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  return stat !== '' && !stat.includes(') Z ')
}
