import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readConfig } from './config.ts'
import { exitCodes } from './exit-codes.ts'
import { temporaryFolder } from './testing/temporary-folder.ts'

const player = { key: 'player', label: 'Player' }
const one = (changes: object) => JSON.stringify({ instances: [{ ...player, ...changes }] })
const command = (changes: object, key = 'play') =>
  JSON.stringify({ commands: { [key]: { run: ['play'], ...changes } } })
const parameter = (changes: object) => command({ parameters: { volume: changes } })

/** A name, the text or the bytes of the file, and the message after the name of the file. */
const files: [string, string | Buffer, string][] = [
  ['an empty file', '', 'it is empty'],
  ['half a file', '{"instances": [', 'line 1, column 16: the text ends, but a value is missing'],
  ['a comment', '{\n  // our player\n}', 'line 2, column 3: JSON has no comments'],
  ['a comma too many', '{\n  "instances": [],\n}', 'line 2, column 18: no comma may stand before }'],
  [
    'a setting twice',
    '{"instances": [], "instances": []}',
    'line 1, column 19: the name "instances" occurs twice in one object',
  ],
  [
    'a path of Windows',
    '{"values": {"socket": "C:\\player"}}',
    'line 1, column 26: a backslash in a text is written twice: \\\\',
  ],
  ['another encoding', Buffer.from('{"instances": "S\xfcd"}', 'latin1'), 'it is not text in UTF-8'],
  ['a list', '[]', 'the whole file must be an object in { }'],
  ['an unknown setting', '{"instance": []}', 'the whole file has an unknown field instance'],
  [
    'no list of instances',
    '{"instances": {}}',
    'instances must be a list in [ ], for example [{"key": "player", "label": "Video player"}]',
  ],
  [
    'an instance without a key',
    '{"instances": [{"label": "Player"}]}',
    'instances[0].key is missing, for example "player"',
  ],
  [
    'a key in capitals',
    one({ key: 'Player' }),
    'instances[0].key must be lower-case letters, digits, - . _, for example "player"',
  ],
  [
    'an instance without a label',
    '{"instances": [{"key": "player"}]}',
    'instances[0].label is missing, for example "Video player"',
  ],
  ['an empty label', one({ label: '' }), 'instances[0].label must not be empty, for example "Video player"'],
  [
    'a label of two lines',
    one({ label: 'a\nb' }),
    'instances[0].label must be one line of text, for example "Video player"',
  ],
  [
    'an unknown field',
    one({ shell: 'x' }),
    'instances[0] has an unknown field shell, for example {"key": "player", "label": "Video player"}',
  ],
  [
    'a command line instead of a list',
    one({ restart: 'systemctl restart player' }),
    'instances[0].restart must be a list in [ ], for example ["systemctl", "restart", "player.service"]',
  ],
  [
    'an empty program',
    one({ status: [] }),
    'instances[0].status must not be empty, for example ["systemctl", "is-active", "--quiet", "player.service"]',
  ],
  [
    'a number in a program',
    one({ run: ['player', 3] }),
    'instances[0].run[1] must be a text in double quotes, for example ["/usr/local/bin/player", "--fullscreen"]',
  ],
  [
    'NUL in a program',
    one({ run: ['a\0b'] }),
    'instances[0].run[0] must not contain NUL, for example ["/usr/local/bin/player", "--fullscreen"]',
  ],
  [
    'a variable with a space',
    one({ run: ['a'], environment: { 'A B': '1' } }),
    'instances[0].environment.A B has a name that is not allowed, for example {"HALL": "North"}',
  ],
  [
    'a number as a variable',
    one({ run: ['a'], environment: { HALL: 3 } }),
    'instances[0].environment.HALL must be a text in double quotes, for example {"HALL": "North"}',
  ],
  [
    'half a MiB',
    one({ run: ['a'], memory: 0.5 }),
    'instances[0].memory must be a number of MiB, for example 512',
  ],
  [
    'a size with a unit',
    one({ run: ['a'], memory: '512M' }),
    'instances[0].memory must be a number, for example 512',
  ],
  [
    'a unit that is an option',
    one({ unit: '--all' }),
    'instances[0].unit must be the name of a unit, for example "nginx.service"',
  ],
  [
    'two ways to run',
    one({ run: ['a'], unit: 'b' }),
    'the instance player has more than one of run, unit, and restart with status; use one of them',
  ],
  [
    'a folder without a program',
    one({ folder: '/srv' }),
    'the instance player has folder, environment or memory without run',
  ],
  ['a key twice', JSON.stringify({ instances: [player, player] }), 'two instances have the key player'],
  [
    'a pattern that is none',
    '{"logs": {"redact": ["("]}}',
    'logs.redact[0] is not a pattern: Invalid regular expression: /(/gu: Unterminated group',
  ],
  [
    'a pattern without a list',
    '{"logs": {"redact": "secret"}}',
    'logs.redact must be a list in [ ], for example ["password=\\\\S+"]',
  ],
  [
    'a command without a program',
    '{"commands": {"play": {}}}',
    'commands.play.run is missing, for example ["/usr/local/bin/playlist", "reload"]',
  ],
  [
    'a command in capitals',
    command({}, 'Play'),
    'commands.Play has a value that is not allowed, for example {"label": "Reload", "run": ["/usr/local/bin/playlist", "reload"]}',
  ],
  [
    'a command of two hours',
    command({ seconds: 7200 }),
    'commands.play.seconds must be from 1 to 3600, for example 120',
  ],
  [
    'a parameter without a type',
    parameter({ min: 0 }),
    'commands.play.parameters.volume.type has none of the possible forms, for example {"volume": {"type": "number", "min": 0, "max": 100}}',
  ],
  [
    'a parameter without a maximum',
    parameter({ type: 'number', min: 0 }),
    'commands.play.parameters.volume.max is missing, for example {"volume": {"type": "number", "min": 0, "max": 100}}',
  ],
  [
    'a misspelt field',
    parameter({ type: 'boolean', deflaut: true }),
    'the parameter volume of the command play has an unknown field deflaut',
  ],
  [
    'a placeholder without a parameter',
    command({ run: ['play', '{hall}'] }),
    'the command play has no parameter hall',
  ],
  [
    'a port that is none',
    '{"values": {"port": 99999}}',
    'values.port must be a port, for example {"port": 8091} or {"socket": "/run/pult/values.sock"}',
  ],
  [
    'a port in quotes',
    '{"values": {"port": "8091"}}',
    'values.port must be a number, for example {"port": 8091} or {"socket": "/run/pult/values.sock"}',
  ],
  [
    'a port without a name',
    '{"values": 8091}',
    'values has none of the possible forms, for example {"port": 8091} or {"socket": "/run/pult/values.sock"}',
  ],
]

test.each(files)(
  'a configuration with %s is refused in one line that names the place and the mistake',
  async (_name, content, message) => {
    const file = join(await temporaryFolder(), 'config.json')
    await writeFile(file, content)
    await expect(readConfig(file, async () => {})).rejects.toMatchObject({
      message: `${file} is not usable: ${message}`,
      exitCode: exitCodes.settings,
    })
  },
)

test('several mistakes of a configuration are named together, in one line', async () => {
  const file = join(await temporaryFolder(), 'config.json')
  await writeFile(file, one({ key: 'A', memory: 'x' }))
  await expect(readConfig(file)).rejects.toThrow(/instances\[0\]\.key .*; instances\[0\]\.memory /)
})

test('a folder, and links in a circle, are refused as a configuration', async () => {
  const folder = await temporaryFolder()
  await mkdir(join(folder, 'folder.json'))
  await symlink('circle.json', join(folder, 'circle.json'))
  for (const [name, reason] of [
    ['folder.json', 'it is a folder (EISDIR)'],
    ['circle.json', 'its links lead in a circle (ELOOP)'],
  ] as const)
    await expect(readConfig(join(folder, name))).rejects.toMatchObject({
      message: `${join(folder, name)} cannot be read: ${reason}`,
      exitCode: exitCodes.settings,
    })
})

test('sensu/sensu#1232 a configuration with a byte-order mark, or in UTF-16, is read', async () => {
  const file = join(await temporaryFolder(), 'config.json')
  const text = `\uFEFF${JSON.stringify({ instances: [player] })}\r\n`
  for (const bytes of [
    Buffer.from(text),
    Buffer.from(text, 'utf16le'),
    Buffer.from(text, 'utf16le').swap16(),
  ]) {
    await writeFile(file, bytes)
    expect((await readConfig(file)).instances).toEqual([player])
  }
})

test('a configuration that another program is writing is read when it is complete', async () => {
  const file = join(await temporaryFolder(), 'config.json')
  const text = JSON.stringify({ instances: [player] })
  let part = 0
  const writeMore = () => {
    part += 10
    return writeFile(file, text.slice(0, part))
  }
  await writeMore()
  expect((await readConfig(file, writeMore)).instances).toEqual([player])
})
