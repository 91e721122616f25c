import { expect, test } from 'vitest'
import { findReactChunk, reactChunkModule } from './development-react.ts'
import { developmentReactPath } from './places.ts'

const files: Record<string, string> = {
  '/assets/shared-react.js':
    'import{r as e}from"./runtime.js";import { i as t } from "./chunk.js";export{t as useState};',
  '/assets/runtime.js': 'export{l as r}',
  '/assets/chunk.js':
    'var l=Symbol.for(`react.transitional.element`);export{x};export{i,c as n,o as default};\n',
}
const read = async (path: string) => files[path] ?? ''

test('React’s chunk is the import of the shared module, with the export names at its end', async () => {
  const chunk = await findReactChunk('/assets/shared-react.js', read)
  expect(chunk).toEqual({ path: '/assets/chunk.js', exports: ['i', 'n', 'default'] })
  expect(reactChunkModule(chunk).split('\n')).toEqual([
    'import * as production from "/assets/chunk.js?production"',
    `import { developmentOf } from "${developmentReactPath}"`,
    'const export0 = developmentOf(production.i)',
    'const export1 = developmentOf(production.n)',
    'const export2 = developmentOf(production.default)',
    'export { export0 as i, export1 as n, export2 as default }',
  ])
})

test('a console with React in an unknown place is reported as another version', async () => {
  await expect(findReactChunk('/assets/runtime.js', read)).rejects.toThrow('has no React where')
})
