import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { root } from './steps.ts'

let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'pult-lint-test-'))
  writeFileSync(
    join(folder, 'tsconfig.json'),
    '{"compilerOptions":{"strict":true,"jsx":"preserve"},"include":["*"]}',
  )
})

afterEach(() => rmSync(folder, { recursive: true, force: true }))

function lint(file: string, text: string): string {
  writeFileSync(join(folder, file), text)
  const { stdout } = spawnSync(
    join(root, 'node_modules/.bin/oxlint'),
    ['--type-aware', '-c', join(root, '.oxlintrc.json'), '--format', 'unix', '.'],
    { cwd: folder, encoding: 'utf8' },
  )
  return stdout
}

// Without the type-aware linter, rules that need types are skipped silently.
test('the linter reports a promise that is not awaited', () => {
  const text = 'export async function save() {}\nexport function leave() {\n  save()\n}\n'
  expect(lint('floating.ts', text)).toMatch(/no-floating-promises/)
  expect(lint('floating.ts', text.replace('  save()', '  return save()'))).not.toMatch(/Error/)
})

test('the linter reports a missing case, an any, and a misplaced hook', () => {
  const text = `
type Kind = 'info' | 'download'
export function label(kind: Kind, extra: any) {
  switch (kind) {
    case 'info':
      return String(extra)
  }
  return ''
}
`
  const found = lint('switch.ts', text)
  expect(found).toMatch(/switch-exhaustiveness-check/)
  expect(found).toMatch(/no-explicit-any/)
  const component = `
import { useState } from 'react'
export function Name({ shown }: { shown: boolean }) {
  if (shown) useState(0)
  return null
}
`
  expect(lint('Name.tsx', component)).toMatch(/react\(rules-of-hooks\)|react\(hooks\)/)
})
