import { readFileSync } from 'node:fs'
import nodeModule from 'node:module'
import { fileURLToPath } from 'node:url'
import { sharedModules } from '@pult/contract'
import { inTime } from './in-time.ts'

const stubs = 'pult-stub:'
const shared: readonly string[] = sharedModules

/**
 * Runs `check` with the default export of a built entry. Stubs replace the modules that the console shares, because
 * those need a browser. The hooks affect only imports from the entry's folder.
 */
export async function withEntry<Result>(
  address: URL,
  check: (entry: unknown) => Promise<Result>,
): Promise<Result> {
  const folder = new URL('.', address).href
  const browser = globalThis as { window?: unknown; document?: unknown }
  const before = { window: browser.window, document: browser.document }
  Object.assign(browser, { window: anything, document: anything })
  const hooks = nodeModule.registerHooks({
    resolve(name, context, next) {
      const importer = context.parentURL?.split('?')[0]
      if (importer?.startsWith(folder) !== true || !shared.includes(name)) return next(name, context)
      return { url: `${stubs}${name}?${namesIn(importer, name).join(',')}`, shortCircuit: true }
    },
    load(url, context, next) {
      if (!url.startsWith(stubs)) return next(url, context)
      const names = url.slice(url.indexOf('?') + 1).split(',')
      return { format: 'module', source: stubOf(names), shortCircuit: true }
    },
  })
  try {
    const { default: entry } = await inTime(
      import(`${address.href}?${Date.now()}`) as Promise<{ default?: unknown }>,
    )
    return await check(entry)
  } finally {
    hooks.deregister()
    Object.assign(browser, before)
  }
}

/** Returns the names that a module imports from a shared module. */
function namesIn(importer: string, name: string): string[] {
  const source = readFileSync(fileURLToPath(importer), 'utf8')
  const imports = source.matchAll(/(?:import|export)\s*([^'";]*?)\s*from\s*(['"])([^'"]+)\2/g)
  return [...imports]
    .filter(([, , , from]) => from === name)
    .flatMap(([, clause = '']) => {
      const whole = /\*\s*as\s+([\w$]+)/.exec(clause)?.[1]
      if (whole !== undefined) return membersOf(source, whole)
      return /\{([^}]*)\}/.exec(clause)?.[1]?.split(',') ?? []
    })
    .map((each) => each.trim().split(/\s+as\s+/)[0] ?? '')
    .filter((each) => each !== '')
}

/** Returns the names that a source reads from a namespace import. */
const membersOf = (source: string, whole: string): string[] =>
  [...source.matchAll(/([\w$]+)\s*\.\s*([A-Za-z_]\w*)/g)]
    .filter(([, owner]) => owner === whole)
    .map(([, , member = '']) => member)

/** Names of the functions whose results the check reads. */
const results: Readonly<Record<string, string>> = {
  resourceRoute: '(name, path, Component) => ({ name, path, Component })',
}

/** Returns a stub whose `define…` functions return their argument. All other exports can be used without effect. */
const stubOf = (names: readonly string[]) => `
  const anything = globalThis[Symbol.for('pult-stub')]
  const same = (value) => value
  export default anything
  ${[...new Set(names)]
    .filter((name) => name !== '' && name !== 'default')
    .map(
      (name) =>
        `export const ${name} = ${results[name] ?? (name.startsWith('define') ? 'same' : 'anything')}`,
    )
    .join('\n')}`

const anything: unknown = new Proxy(function stub() {}, {
  get: (_target, key) => (key === Symbol.toPrimitive ? () => '' : key === 'then' ? undefined : anything),
  apply: () => anything,
  construct: () => anything as object,
})
Object.assign(globalThis, { [Symbol.for('pult-stub')]: anything })
