import { expect, test } from 'vitest'
import { printTable } from './table.ts'

const cells = (line: string | undefined) =>
  line
    ?.split('|')
    .slice(1, -1)
    .map((cell) => cell.trim())

test('the table shows median, range, ratio and bar, and whether the bar was met', () => {
  const [, , line] = printTable([
    {
      name: 'form usable',
      unit: 'ms',
      ours: [130, 110, 140],
      floor: [100, 90, 120],
      bar: { kind: 'times the floor', factor: 1.2 },
      note: 'cold',
    },
  ]).split('\n')
  expect(cells(line)).toEqual([
    'form usable',
    '130 ms (110..140)',
    '100 ms (90..120)',
    '1.30x',
    '<= 1.20x',
    'NO',
    'cold',
  ])
})

test('the table omits missing values, and shows no ratio for zero or a count', () => {
  const [, , alone, zero, count, unmoved] = printTable([
    { name: 'rate', unit: '/s', ours: [12_345.6] },
    { name: 'findings', unit: '', ours: [0], floor: [0], bar: { kind: 'at most', value: 0 } },
    { name: 'requests', unit: '', ours: [9], floor: [2] },
    { name: 'time', unit: 'ms', ours: [9], floor: [0] },
  ]).split('\n')
  expect(cells(count)).toEqual(['requests', '9', '2', '', '', '', ''])
  expect(cells(unmoved)).toEqual(['time', '9 ms', '0 ms', '', '', '', ''])
  expect(cells(alone)).toEqual(['rate', '12,346/s', '', '', '', '', ''])
  expect(cells(zero)).toEqual(['findings', '0', '0', '', '<= 0', 'yes', ''])
})

test('all lines have the same width, so that columns are aligned', () => {
  const lines = printTable([
    { name: 'a', unit: 's', ours: [1.234] },
    { name: 'a much longer name', unit: 'kB', ours: [84.96], bar: { kind: 'at most', value: 85 } },
  ]).split('\n')
  expect(new Set(lines.map((line) => line.length)).size).toBe(1)
  expect(lines[3]).toContain('85.0 kB')
})
