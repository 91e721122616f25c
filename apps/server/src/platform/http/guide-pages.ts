import { readdir, readFile } from 'node:fs/promises'
import { apiBase } from '@pult/contract'
import type { FastifyInstance } from 'fastify'
import { AppError } from '../app-error.ts'
import { escapeHtml } from './escape-html.ts'

const folder = new URL('../../../../../docs/operations/', import.meta.url)

/** Allows no scripts, images or forms. */
const policy =
  "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

const config = { permission: 'anyone' }

/**
 * Serves the guides for administrators, docs/operations, at `/api/guides/NAME`, so that an installation without
 * internet access shows the guides of its version.
 */
export function serveGuides(app: FastifyInstance): void {
  let made: Promise<ReadonlyMap<string, Buffer>> | undefined
  const css = Buffer.from(styles)
  app.get<{ Params: { name: string } }>(
    `${apiBase}/guides/:name`,
    { schema: { hide: true }, config },
    async ({ params: { name } }, reply) => {
      // The guides change only with the version. A failed read is repeated.
      made ??= makePages().catch((error: unknown) => {
        made = undefined
        throw error
      })
      const page = (await made).get(name)
      if (page === undefined) throw new AppError('NOT_FOUND')
      return reply.type('text/html; charset=utf-8').header('content-security-policy', policy).send(page)
    },
  )
  app.get(`${apiBase}/guides.css`, { schema: { hide: true }, config }, async (_request, reply) =>
    reply.type('text/css; charset=utf-8').send(css),
  )
}

async function readGuides(): Promise<ReadonlyMap<string, string>> {
  const files = (await readdir(folder)).filter((file) => file.endsWith('.md')).toSorted()
  return new Map(
    await Promise.all(
      files.map(
        async (file) =>
          [file.slice(0, -'.md'.length), await readFile(new URL(file, folder), 'utf8')] as const,
      ),
    ),
  )
}

async function makePages(): Promise<ReadonlyMap<string, Buffer>> {
  // Few requests need the renderer, so the start does not load it.
  const { guideHtml } = await import('./guide-html.ts')
  const guides = await readGuides()
  const names = new Set(guides.keys())
  return new Map(
    [...guides].map(([name, text]) => [name, Buffer.from(guidePage(guides, text, guideHtml(text, names)))]),
  )
}

const titleOf = (text: string) => /^# (.+)/.exec(text)?.[1] ?? ''

function guidePage(guides: ReadonlyMap<string, string>, text: string, main: string): string {
  const links = [...guides]
    .map(
      ([name, guide]) =>
        `<li><a href="${apiBase}/guides/${name}"${guide === text ? ' aria-current="page"' : ''}>${escapeHtml(titleOf(guide))}</a></li>`,
    )
    .join('')
  return `<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <title>${escapeHtml(titleOf(text))} · Pult</title>
  <link rel="stylesheet" href="${apiBase}/guides.css">
</head>
<body>
  <header><a href="/">${mark}Pult</a></header>
  <nav aria-label="Guides"><ul>${links}</ul></nav>
  <main>${main}</main>
</body>
</html>`
}

/** The brand mark of the console. */
const mark = `<svg width="24" height="24" viewBox="0 0 32 32" aria-hidden="true"><rect width="32" height="32" rx="8"/><path class="letter" fill-rule="evenodd" d="M7.8 25.6v-18A1.6 1.6 0 0 1 9.4 6H17a7.2 7.2 0 0 1 0 14.4h-4.4v4.2zm9.99-11.21 3.8-3.8a1.4 1.4 0 0 0-1.98-1.98l-3.8 3.8a1.4 1.4 0 0 0 1.98 1.98z"/><path class="desk" d="m16 25.4 8.4-1.8"/></svg>`

/** The colours are those of the console. */
const styles = `
:root {
  color-scheme: light dark;
  --canvas: light-dark(#f4f6f8, #0e1114); --surface: light-dark(#fff, #161a1e); --sunken: light-dark(#edf0f3, #22282e);
  --text: light-dark(#12181d, #e8ecef); --muted: light-dark(#55616c, #9ba7b2); --border: light-dark(#dde2e7, #2a3138);
  --accent: light-dark(#096570, #5fcbd8); --soft: light-dark(#e0f1f3, #10343a); --brand: light-dark(#0b7884, #0c7f8c);
  font: 15px/1.6 'Inter Variable', system-ui, sans-serif;
}
* { box-sizing: border-box; }
body { display: grid; grid-template: auto 1fr / 200px minmax(0, 1fr); gap: 16px 32px; max-width: 1080px; min-height: 100dvh; margin: 0 auto; padding: 20px 24px 48px; background: var(--canvas); color: var(--text); }
html { background: var(--canvas); scroll-padding-top: 16px; }
a { color: var(--accent); border-radius: 3px; text-underline-offset: 0.2em; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
header { grid-column: 1 / -1; }
header a { display: inline-flex; gap: 10px; align-items: center; color: var(--text); font-size: 18px; font-weight: 600; text-decoration: none; }
header rect { fill: var(--brand); } header .letter { fill: #fff; } header .desk { fill: none; stroke: light-dark(#7ad7e1, #8be0e9); stroke-width: 2.4; stroke-linecap: round; }
nav ul { position: sticky; top: 16px; display: grid; gap: 2px; margin: 0; padding: 0; list-style: none; }
nav a { display: block; padding: 6px 10px; border-radius: 8px; color: var(--muted); font-size: 14px; text-decoration: none; }
nav a:hover { color: var(--text); background: var(--sunken); }
nav a[aria-current] { background: var(--soft); color: var(--accent); font-weight: 600; }
main { align-self: start; min-width: 0; padding: 28px 36px 36px; border: 1px solid var(--border); border-radius: 12px; background: var(--surface); overflow-wrap: anywhere; }
h1, h2, h3 { line-height: 1.3; text-wrap: balance; }
h1 { margin: 0 0 16px; font-size: 24px; letter-spacing: -0.015em; }
h2 { margin: 36px 0 8px; padding-top: 24px; border-top: 1px solid var(--border); font-size: 18px; }
h3 { margin: 24px 0 8px; font-size: 15px; }
p, ul, ol, pre, .table { margin: 0 0 14px; }
li { margin-block: 4px; }
:is(main ul, main ol) { padding-left: 24px; }
code, pre { font-family: ui-monospace, 'Cascadia Code', Menlo, Consolas, monospace; font-size: 13px; }
code { padding: 1px 5px; border-radius: 5px; background: var(--sunken); }
pre { overflow-x: auto; padding: 12px 16px; border-radius: 8px; background: var(--sunken); line-height: 1.5; }
pre code { padding: 0; background: none; overflow-wrap: normal; }
.table { overflow-x: auto; border: 1px solid var(--border); border-radius: 8px; }
table { width: 100%; border-collapse: collapse; font-size: 14px; }
th, td { min-width: 120px; padding: 8px 12px; text-align: start; vertical-align: top; }
th { color: var(--muted); font-weight: 500; }
tbody tr { border-top: 1px solid var(--border); }
@media (max-width: 760px) {
  body { grid-template: auto auto 1fr / minmax(0, 1fr); padding: 16px 16px 32px; }
  nav ul { position: static; display: flex; overflow-x: auto; padding-bottom: 4px; } nav a { white-space: nowrap; }
  main { padding: 20px 18px 24px; }
}
@media print { header, nav { display: none; } body { display: block; padding: 0; } main { padding: 0; border: 0; } }
`
