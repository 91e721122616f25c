import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '..')
const textOf = (path: string) => readFileSync(join(root, path), 'utf8')

/** Returns the ids of the headings, as GitHub and the served guides write them. */
const idsOf = (path: string) =>
  [...textOf(path).matchAll(/^#{1,4} (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  )

test.each(globSync('docs/operations/*.md', { cwd: root }))(
  '%s links to pages and headings that exist',
  (page) => {
    const links = [...textOf(page).matchAll(/\]\(([^)\s]+)\)/g)]
      .map(([, link = '']) => link)
      .filter((link) => !/^[a-z]+:/.test(link))
    for (const link of links) {
      const [file = '', id = ''] = link.split('#')
      const target = file === '' ? page : join(dirname(page), file)
      expect(existsSync(join(root, target)), link).toBe(true)
      expect(id === '' || idsOf(target).includes(id), link).toBe(true)
    }
  },
)
