import { PassThrough } from 'node:stream'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createLineSplitter, type OutputLine, readLines, shortened, shownText } from './output-lines.ts'

/** Returns the ended lines of some chunks, and the unfinished one. */
function split(...chunks: string[]) {
  const lines: string[] = []
  const splitter = createLineSplitter(({ text }) => lines.push(text))
  for (const chunk of chunks) splitter.add(chunk)
  return { lines, rest: splitter.unfinished().text }
}

test.each([
  ['a carriage return within a line', ['10 %\r20 %\r30 %\n'], ['30 %'], ''],
  ['a carriage return at the end of a chunk', ['10 %\r', '20 %\n'], ['20 %'], ''],
  ['a carriage return at the start of a chunk', ['10 %', '\r20 %\n'], ['20 %'], ''],
  ['a replaced line in pieces', ['abc', '\rd', 'e', 'f\n'], ['def'], ''],
  ['a line end of Windows', ['one\r\ntwo\r\n'], ['one', 'two'], ''],
  ['a line end of Windows in two chunks', ['one\r', '\ntwo\r', '\n'], ['one', 'two'], ''],
  ['a doubled carriage return', ['one\r\r\n', 'two\r', '\r', '\n'], ['one', 'two'], ''],
  ['a progress that ends with a carriage return', ['1 %\r2 %\r'], [], '2 %'],
  ['carriage returns alone', ['\r\r', '\r', '\n\r'], [''], ''],
  ['an empty line', ['\n\n'], ['', ''], ''],
  ['a million carriage returns', ['\r'.repeat(1_000_000), 'end\r'.repeat(1000), '\n'], ['end'], ''],
])(
  'HandBrake/HandBrake#1067 the reader of lines reads %s as a terminal does',
  (_name, chunks, lines, rest) => {
    expect(split(...chunks)).toEqual({ lines, rest })
  },
)

test('deepforge-dev/deepforge#695 the reader of lines keeps the newest part of a line of 1 MB that never ends', () => {
  const lines: OutputLine[] = []
  const splitter = createLineSplitter((line) => lines.push(line))
  for (let number = 0; number < 100_000; number += 1) splitter.add(`frame${String(number).padStart(5, '0')}`)
  const { text, dropped } = splitter.unfinished()
  expect(text.endsWith('frame99998frame99999')).toBe(true)
  expect(text).toHaveLength(16_384)
  expect(dropped).toBe(1_000_000 - 16_384)
  splitter.add('\rnew\n')
  expect(lines).toEqual([{ text: 'new', dropped: 0 }])
})

test('a reader of lines at the end of its output ends the unfinished line once', () => {
  const lines: string[] = []
  const splitter = createLineSplitter(({ text }) => lines.push(text))
  splitter.end()
  splitter.add('a\nprompt: \r')
  splitter.end()
  splitter.end()
  expect(lines).toEqual(['a', 'prompt: '])
})

test.each([
  ['colours', '\u001b[31mred\u001b[0m', 'red'],
  ['a number that backspaces replace', ' 5%\b\b\b10%', '10%'],
  ['a number before backspaces that nothing follows yet', '  5%\b\b\b\b', '  5%'],
  ['a deleted character', 'abd\b \b', 'ab '],
  ['more backspaces than characters', 'a\b\b\bxyz', 'xyz'],
  ['characters of several units', '😀\bü', 'ü'],
])('a line with %s is read as a terminal shows it', (_name, line, expected) => {
  expect(shownText(line)).toBe(expected)
})

test('a line that is too long is shortened to its beginning and its newest part, with a note of the cut', () => {
  const text = `begin${'x'.repeat(2995)}${'y'.repeat(2995)}at end`
  expect(shortened({ text, dropped: 0 }, 40)).toBe(
    `beginxxxxx … (${text.length - 40} more characters) … ${'y'.repeat(24)}at end`,
  )
  // Nothing is known of the beginning.
  expect(shortened({ text, dropped: 1000 }, 40)).toBe(
    `… (${text.length + 1000 - 40} more characters) … ${'y'.repeat(34)}at end`,
  )
  expect(shortened({ text: 'ab', dropped: 7 }, 40)).toBe('… (8 more characters) … b')
  expect(shortened({ text: 'whole\tline', dropped: 0 }, 40)).toBe('whole line')
})

/** Reads a stream in simulated time. */
function read(onChunk: () => Promise<void> | undefined = () => undefined) {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
  onTestFinished(() => void vi.useRealTimers())
  const stream = new PassThrough()
  const lines: string[] = []
  const ended = readLines(stream, {
    onLine: ({ text }) => lines.push(text),
    onChunk,
    showsUnfinished: true,
  })
  return {
    lines,
    async write(chunk: string | Buffer) {
      stream.write(chunk)
      for (let turn = 0; turn < 5; turn += 1) await nextTurn()
    },
    pass: (milliseconds: number) => vi.advanceTimersByTimeAsync(milliseconds),
    async end() {
      stream.end()
      await ended
    },
  }
}

test('patternfly/patternfly-react#6003 a prompt is shown after a second, and not again when its line ends unchanged', async () => {
  const { lines, write, pass, end } = read()
  await write('ready\nPassword: ')
  expect(lines).toEqual(['ready'])
  await pass(999)
  expect(lines).toEqual(['ready'])
  await pass(1)
  expect(lines).toEqual(['ready', 'Password: '])
  await pass(3_600_000)
  await write('\nLoading playlist... ')
  await pass(1000)
  await write('done\n')
  await end()
  expect(lines).toEqual(['ready', 'Password: ', 'Loading playlist... ', 'Loading playlist... done'])
})

test('HandBrake/HandBrake#1067 a progress of an hour is visible from its first second on, in fewer than 80 lines', async () => {
  const reading = read()
  const { lines, end } = reading
  const write = async (from: number, to: number) => {
    for (let second = from; second < to; second += 1) {
      await reading.write(`frame=${second} fps=25\r`)
      await reading.pass(1000)
    }
  }
  await write(0, 2)
  expect(lines).toEqual(['frame=0 fps=25'])
  await write(2, 3600)
  expect(lines.length).toBeGreaterThan(60)
  expect(lines.length).toBeLessThan(80)
  expect(new Set(lines).size).toBe(lines.length)
  await end()
  expect(lines.at(-1)).toBe('frame=3599 fps=25')
})

test('a line whose rest waits for the disk is not shown in two parts', async () => {
  const waiting: (() => void)[] = []
  const { lines, write, pass, end } = read(() => new Promise<void>((resolve) => waiting.push(resolve)))
  await write('first\nbegin ')
  await write('end\n')
  await pass(60_000)
  expect(lines).toEqual(['first'])
  waiting.shift()?.()
  await write('')
  expect(lines).toEqual(['first', 'begin end'])
  waiting.shift()?.()
  await end()
})

test('an unfinished line without visible text is not shown', async () => {
  const { lines, write, pass, end } = read()
  await write('100 %\n\r\u001b[K')
  await pass(60_000)
  expect(lines).toEqual(['100 %'])
  await end()
})

test('characters that are split over chunks stay whole, and bytes that are not UTF-8 become one mark each', async () => {
  const { lines, write, end } = read()
  for (const byte of Buffer.from('Grüße 😀 €\r\n')) await write(Buffer.from([byte]))
  await write(Buffer.from('T\xfcr offen\n', 'latin1'))
  await end()
  expect(lines).toEqual(['Grüße 😀 €', 'T\ufffdr offen'])
})
