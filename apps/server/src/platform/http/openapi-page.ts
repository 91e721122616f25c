/*
 * The API documentation as a page without scripts. The usual viewers evaluate strings, which the content security
 * policy forbids.
 */

import { escapeHtml as escape } from './escape-html.ts'

interface Operation {
  summary?: string
  description?: string
  tags?: string[]
  parameters?: { name: string; in: string; required?: boolean; schema?: unknown }[]
  requestBody?: { content?: Record<string, { schema?: unknown }> }
  responses?: Record<string, { description?: string; content?: Record<string, { schema?: unknown }> }>
}

interface Document {
  info?: { title?: string; version?: string; description?: string }
  paths?: Record<string, Record<string, Operation> | undefined>
}

const schemaText = (content: Record<string, { schema?: unknown }> | undefined) => {
  const schema = content?.['application/json']?.schema
  return schema === undefined ? '' : `<pre>${escape(JSON.stringify(schema, null, 2))}</pre>`
}

function operationSection(method: string, path: string, operation: Operation): string {
  const parameters = (operation.parameters ?? [])
    .map((parameter) => `<li><code>${escape(parameter.name)}</code> in the ${escape(parameter.in)}</li>`)
    .join('')
  const body = schemaText(operation.requestBody?.content)
  const responses = Object.entries(operation.responses ?? {})
    .map(
      ([status, response]) =>
        `<details><summary><b>${status}</b> ${escape(response.description ?? '')}</summary>${schemaText(response.content)}</details>`,
    )
    .join('')
  return `<section id="${escape(`${method}-${path}`)}">
    <h3><span class="method">${method.toUpperCase()}</span> <code>${escape(path)}</code></h3>
    <p>${escape(operation.summary ?? '')} <small>${escape(operation.description ?? '')}</small></p>
    ${parameters === '' ? '' : `<h4>Parameters</h4><ul>${parameters}</ul>`}
    ${body === '' ? '' : `<details open><summary><b>Body</b></summary>${body}</details>`}
    ${responses}
  </section>`
}

/** Returns the document as HTML, grouped by the first path segment. */
export function docsPage(document: unknown): string {
  const { info, paths } = document as Document
  const groups = new Map<string, string[]>()
  for (const [path, methods] of Object.entries(paths ?? {})) {
    for (const [method, operation] of Object.entries(methods ?? {})) {
      const tag = operation.tags?.[0] ?? ''
      groups.set(tag, [...(groups.get(tag) ?? []), operationSection(method, path, operation)])
    }
  }
  const title = `${escape(info?.title ?? '')} ${escape(info?.version ?? '')}`
  const links = [...groups.keys()].map((tag) => `<li><a href="#${tag}">${tag}</a></li>`).join('')
  const sections = [...groups]
    .map(([tag, operations]) => `<h2 id="${tag}">${tag}</h2>${operations.join('')}`)
    .join('')
  return `<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <title>${title} API</title>
  <link rel="stylesheet" href="/api/docs.css">
</head>
<body>
  <header><h1>${title} API</h1><p>${escape(info?.description ?? '')} <a href="/api/openapi.json">OpenAPI 3.1</a></p></header>
  <nav aria-label="Groups"><ul>${links}</ul></nav>
  <main>${sections}</main>
</body>
</html>`
}

export const docsStyles = `
:root { color-scheme: light dark; font: 14px/1.5 system-ui, sans-serif; --line: light-dark(#dde2e6, #2b3238); --accent: light-dark(#0b6470, #4cc3d1); }
body { margin: 0 auto; max-width: 1100px; padding: 24px; display: grid; grid-template-columns: 160px minmax(0, 1fr); gap: 0 32px; }
header { grid-column: 1 / -1; }
h1 { font-size: 22px; } h2 { margin-top: 40px; } h3 { margin-bottom: 4px; overflow-wrap: anywhere; }
nav ul { position: sticky; top: 16px; list-style: none; padding: 0; }
a, .method { color: var(--accent); }
section { border-top: 1px solid var(--line); padding: 8px 0 16px; }
small { opacity: 0.75; }
pre { overflow: auto; padding: 12px; border: 1px solid var(--line); border-radius: 8px; font-size: 12px; }
summary { cursor: pointer; }
@media (max-width: 700px) { body { display: block; } nav ul { position: static; display: flex; flex-wrap: wrap; gap: 12px; } }
`
