import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readProjectFiles } from '../boundaries/project-files.ts'
import { unnoticedPlants } from './plants.ts'
import { inspectTexts } from './texts.ts'

test('every planted text fault is reported as its kind, and a correct room passes', () => {
  expect(unnoticedPlants()).toEqual([])
})

test('DEC-28 no text of the console, the SDK and the bundled extensions is missing or unused in a language', () => {
  const { problems, texts } = inspectTexts(readProjectFiles(join(import.meta.dirname, '../..')))
  expect(problems.map(({ path, line, rule, message }) => `${path}:${line} ${rule} ${message}`)).toEqual([])
  expect(texts).toBeGreaterThan(800)
})
