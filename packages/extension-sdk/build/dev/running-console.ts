import { importsOf } from './development-document.ts'
import { findReactChunk, type ReactChunk } from './development-react.ts'

/** The parts of a running console that an extension needs. */
export interface ConsoleModules {
  /** Where the modules are that it shares, by name. */
  imports: Readonly<Record<string, string>>
  react: ReactChunk
}

export type RunningConsole = ReturnType<typeof createRunningConsole>

/**
 * A console that runs at an address. Everything throws while it cannot be reached.
 *
 * @param url Its origin.
 */
export function createRunningConsole(url: string) {
  let known: ConsoleModules | undefined

  const ask = (path: string, headers: Record<string, string> = {}) => fetch(new URL(path, url), { headers })

  async function read(path: string): Promise<string> {
    const answer = await ask(path)
    if (!answer.ok) throw new Error(`${url}${path} was answered with ${answer.status}.`)
    return answer.text()
  }

  /** The document, which is the same for each page, as it is. Another build may have replaced the one before. */
  async function readDocument(): Promise<{ html: string; modules: ConsoleModules }> {
    const html = await (await ask('/', { accept: 'text/html' })).text()
    const imports = importsOf(html)
    if (known === undefined || JSON.stringify(known.imports) !== JSON.stringify(imports))
      known = { imports, react: await findReactChunk(imports.react ?? '', read) }
    return { html, modules: known }
  }

  return { url, ask, readDocument, modules: async () => known ?? (await readDocument()).modules }
}
