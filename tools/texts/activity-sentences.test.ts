import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '../..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')

/** Prefixes of project events, which home shows as sentences. */
const ofProjects =
  /^(?:project|grant|access|note|notes|task|task-token|medium|media|edge|edge-[a-z]+|deck-key)\./

/** Events of the installation or of a deleted project. */
const ofNoHome = new Set(['edge.key-rotated', 'project.removed'])

test.each(['desk.texts.ts', 'desk.texts.de-DE.ts'])(
  'every audit event of a project has a sentence in %s',
  (name) => {
    const events = [...read('apps/server/src/audit/audit.repository.ts').matchAll(/^ {2}\| '([a-z.-]+)'$/gm)]
      .flatMap(([, event = '']) => event)
      .filter((event) => ofProjects.test(event) && !ofNoHome.has(event))
    expect(events.length).toBeGreaterThan(40)
    const texts = read(`apps/console/src/platform/desk/${name}`)
    const [one = ''] = /^ {4}one: \{$[^}]*(?:\{(?:who|what)\}[^}]*)*^ {4}\},$/m.exec(texts) ?? []
    expect(events.filter((event) => !one.includes(`'${event}':`))).toEqual([])
  },
)
