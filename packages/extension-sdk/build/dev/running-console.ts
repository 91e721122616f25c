import { importsOf } from './development-document.ts'
import { findReactChunk, type ReactChunk } from './development-react.ts'

/** The modules of a running console that an extension needs. */
export interface ConsoleModules {
  /** Addresses of the shared modules by name. */
  imports: Readonly<Record<string, string>>
  react: ReactChunk
}

export type RunningConsole = ReturnType<typeof createRunningConsole>

/**
 * Creates a client of a running console. Its functions throw while the console cannot be reached.
 *
 * @param url Origin of the console.
 */
export function createRunningConsole(url: string) {
  let known: ConsoleModules | undefined

  const ask = (path: string, headers: Record<string, string> = {}) => fetch(new URL(path, url), { headers })

  async function read(path: string): Promise<string> {
    const answer = await ask(path)
    if (!answer.ok) throw new Error(`${url}${path} returned ${answer.status}.`)
    return answer.text()
  }

  /** Reads the current document, which is the same for all pages. It changes with each build of the console. */
  async function readDocument(): Promise<{ html: string; modules: ConsoleModules }> {
    const html = await (await ask('/', { accept: 'text/html' })).text()
    const imports = importsOf(html)
    if (known === undefined || JSON.stringify(known.imports) !== JSON.stringify(imports))
      known = { imports, react: await findReactChunk(imports.react ?? '', read) }
    return { html, modules: known }
  }

  return { url, ask, readDocument, modules: async () => known ?? (await readDocument()).modules }
}
