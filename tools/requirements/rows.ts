import { readFileSync } from 'node:fs'
import { join } from 'node:path'

export interface Row {
  id: string
  text: string
}

const folder = join(import.meta.dirname, '../../docs/requirements')
const row = /^- ([A-Z]+-\d{2}) (.*)$/gm

export function rowsIn(markdown: string): Row[] {
  return [...markdown.matchAll(row)].map(([, id = '', text = '']) => ({ id, text }))
}

export function readRows(): Row[] {
  return ['requirements.md', 'rules.md', 'decisions.md'].flatMap((file) =>
    rowsIn(readFileSync(join(folder, file), 'utf8')),
  )
}
