import { expect, test } from 'vitest'
import { readArguments, sectionNames, usage } from './arguments.ts'

test('measures everything when nothing is named', () => {
  expect(readArguments([])).toEqual({ sections: sectionNames, samples: 5000, pairs: 7, isQuick: false })
})

test('--no-install leaves out the section that needs a registry', () => {
  const options = readArguments(['--no-install', '--samples=200', '--pairs', '9'])
  expect(options).toEqual({
    sections: sectionNames.filter((name) => name !== 'install'),
    samples: 200,
    pairs: 9,
    isQuick: false,
  })
})

test('takes sections in the order of the table, each once', () => {
  expect(readArguments(['me', 'login', 'me'])).toMatchObject({ sections: ['login', 'me'] })
})

test('--quick is for the sections that are named, like every option', () => {
  expect(readArguments(['--quick', 'sockets'])).toMatchObject({ sections: ['sockets'], isQuick: true })
})

test.each([
  [['lgoin'], 'no section "lgoin"'],
  [['--samples=many'], '--samples must be a whole number'],
  [['--samples=10'], 'from 100'],
  [['--pairs=0'], '--pairs'],
  [['--fast'], '--fast'],
])('refuses %j with a line that says why', (args, message) => {
  expect(() => readArguments(args)).toThrow(message)
})

test('explains every section', () => {
  expect(readArguments(['--help'])).toBe('help')
  for (const name of sectionNames) expect(usage).toMatch(new RegExp(`^ {2}${name} `, 'm'))
})
