import { expect, test } from 'vitest'
import { developmentDocument } from './development-document.ts'

const map = {
  imports: { react: '/assets/react-1.js', 'react-dom': '/assets/$&.js' },
  integrity: { '/assets/react-1.js': 'sha256-x' },
}
const document = (importMap: object) => `<!doctype html>
<script type="importmap">${JSON.stringify(importMap)}</script>
<script src="/first.js" crossorigin integrity="sha256-a"></script>
<script type="module" async crossorigin src="/assets/early.js" integrity="sha256-b"></script>
<link rel="modulepreload" crossorigin href="/assets/react-2.js" integrity="sha256-c">
<p>integrity="kept"</p>`

test('the console’s document loses its digests and loads Vite’s client between import map and first module', () => {
  expect(developmentDocument(document(map), '/@dev/@vite/client')).toBe(`<!doctype html>
<script type="importmap">{"imports":{"react":"/assets/react-1.js","react-dom":"/assets/$&.js"}}</script>
    <script type="module" src="/@dev/@vite/client"></script>
<script src="/first.js" crossorigin></script>
<script type="module" async crossorigin src="/assets/early.js"></script>
<link rel="modulepreload" crossorigin href="/assets/react-2.js">
<p>integrity="kept"</p>`)
})

test.each([
  ['another page', '<!doctype html><p>Hello</p>'],
  ['a map without React', document({ imports: {} })],
  ['a console from its own sources', document({ imports: { react: '/@id/virtual:shared/react' } })],
])('%s is not recognised as a built console', (_what, html) => {
  expect(() => developmentDocument(html, '/client')).toThrow('does not serve a built Pult console')
})
