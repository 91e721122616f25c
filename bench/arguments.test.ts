import { expect, test } from 'vitest'
import { readArguments, sectionNames, usage } from './arguments.ts'

test('without names every section runs', () => {
  expect(readArguments([])).toEqual({ sections: sectionNames, samples: 5000, pairs: 7, isQuick: false })
})

test('--samples and --pairs set their counts', () => {
  expect(readArguments(['--samples=200', '--pairs', '9'])).toMatchObject({ samples: 200, pairs: 9 })
})

test('sections run in the order of the table, each once', () => {
  expect(readArguments(['flood', 'login', 'flood'])).toMatchObject({ sections: ['login', 'flood'] })
})

test('--quick applies to the named sections', () => {
  expect(readArguments(['--quick', 'sockets'])).toMatchObject({ sections: ['sockets'], isQuick: true })
})

test.each([
  [['lgoin'], 'no section "lgoin"'],
  [['--samples=many'], '--samples must be a whole number'],
  [['--samples=10'], 'from 100'],
  [['--pairs=0'], '--pairs'],
  [['--fast'], '--fast'],
])('arguments %j are rejected with a reason', (args, message) => {
  expect(() => readArguments(args)).toThrow(message)
})

test('the usage explains every section', () => {
  expect(readArguments(['--help'])).toBe('help')
  for (const name of sectionNames) expect(usage).toMatch(new RegExp(`^ {2}${name} `, 'm'))
})
