/*
 * The API documentation as a page without scripts. The usual viewers evaluate strings, which the content security
 * policy forbids.
 */

import { escapeHtml as escape } from './escape-html.ts'
import type { ApiDocument, ApiOperation } from './openapi-document.ts'

/** Errors refer to one schema, which the head of the page describes. */
function schemaText(content: Record<string, { schema?: unknown }> = {}): string {
  const schema = content['application/json']?.schema
  return schema === undefined || JSON.stringify(schema).startsWith('{"$ref"')
    ? ''
    : `<pre>${escape(JSON.stringify(schema, null, 2))}</pre>`
}

const types = (content: Record<string, unknown> = {}) =>
  Object.keys(content)
    .filter((type) => type !== 'application/json')
    .map((type) => ` <code>${escape(type)}</code>`)
    .join('')

function operationSection(method: string, path: string, operation: ApiOperation): string {
  const parameters = (operation.parameters ?? [])
    .map((parameter) => `<li><code>${escape(parameter.name)}</code> in the ${escape(parameter.in)}</li>`)
    .join('')
  const body = schemaText(operation.requestBody?.content)
  const responses = Object.entries(operation.responses ?? {})
    .map(([status, { description = '', content }]) => {
      const line = `<b>${status}</b> ${escape(description)}${types(content)}`
      const schema = schemaText(content)
      return schema === '' ? `<p>${line}</p>` : `<details><summary>${line}</summary>${schema}</details>`
    })
    .join('')
  const id = escape(operation.operationId ?? '')
  return `<section id="${id}">
    <h3><a href="#${id}">${id}</a></h3>
    <p><span class="method">${method.toUpperCase()}</span> <code>${escape(path)}</code>${types(operation.requestBody?.content)}</p>
    <p>${escape(operation.summary ?? '')} <small>${escape(operation.description ?? '')}</small></p>
    ${parameters === '' ? '' : `<h4>Parameters</h4><ul>${parameters}</ul>`}
    ${body === '' ? '' : `<details open><summary><b>Body</b></summary>${body}</details>`}
    ${responses}
  </section>`
}

/** Returns the document as HTML, grouped by tag. */
export function docsPage({ info, paths = {}, tags = [] }: ApiDocument): string {
  const sections = Map.groupBy(
    Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({
        tag: operation.tags?.[0],
        html: operationSection(method, path, operation),
      })),
    ),
    ({ tag }) => tag,
  )
  const title = `${escape(info.title)} ${escape(info.version)}`
  const links = tags.map(({ name }) => `<li><a href="#${name}">${name}</a></li>`).join('')
  const groups = tags
    .map(({ name, description = '' }) => {
      const operations = sections.get(name) ?? []
      return `<h2 id="${name}">${name}</h2><p>${escape(description)}</p>${operations.map(({ html }) => html).join('')}`
    })
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
  <header><h1>${title} API</h1><p>${escape(info.description ?? '')} <a href="/api/openapi.json">OpenAPI 3.1</a></p></header>
  <nav aria-label="Groups"><ul>${links}</ul></nav>
  <main>${groups}</main>
</body>
</html>`
}

export const docsStyles = `
:root { color-scheme: light dark; font: 14px/1.5 system-ui, sans-serif; --line: light-dark(#dde2e6, #2b3238); --accent: light-dark(#0b6470, #4cc3d1); }
body { margin: 0 auto; max-width: 1100px; padding: 24px; display: grid; grid-template-columns: 160px minmax(0, 1fr); gap: 0 32px; }
header { grid-column: 1 / -1; }
h1 { font-size: 22px; } h2 { margin-top: 40px; } h3 { margin-bottom: 4px; overflow-wrap: anywhere; }
nav ul { position: sticky; top: 16px; max-height: calc(100vh - 32px); overflow-y: auto; list-style: none; padding: 0; margin: 0; }
a, .method { color: var(--accent); }
section { border-top: 1px solid var(--line); padding: 8px 0 16px; }
small { opacity: 0.75; }
pre { overflow: auto; padding: 12px; border: 1px solid var(--line); border-radius: 8px; font-size: 12px; }
summary { cursor: pointer; }
@media (max-width: 700px) { body { display: block; } nav ul { position: static; max-height: none; display: flex; flex-wrap: wrap; gap: 12px; } }
`
