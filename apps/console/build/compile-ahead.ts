import type { Plugin, Rolldown } from 'vite'
import { chunksOf } from './shared-modules.ts'

/**
 * V8 compiles a function when it is called for the first time, and does so in the moment that somebody waits for. Of a file
 * that begins with this comment it compiles all of them as soon as the file is there, beside the page's own thread:
 * https://v8.dev/blog/explicit-compile-hints. Other engines take it for the comment that it is.
 */
const hint = '//# allFunctionsCalledOnLoad\n'

/** Of the console's frame, what the login does not have itself: its files come while the password is typed. */
export function compileAhead(): Plugin {
  return {
    name: 'compile-ahead',
    apply: 'build',
    // Names tell contents, and this comes after they have been given.
    augmentChunkHash: () => hint,
    generateBundle: {
      order: 'post',
      handler: (_options, bundle) => {
        const withDocument = new Set(reachedFrom(bundle, ({ isEntry, name }) => isEntry && name === 'index'))
        const frame = reachedFrom(
          bundle,
          ({ facadeModuleId }) => facadeModuleId?.endsWith(frameModule) === true,
        )
        for (const chunk of frame) if (!withDocument.has(chunk)) chunk.code = hint + chunk.code
      },
    },
  }
}

const frameModule = '/src/console.tsx'

function reachedFrom(
  bundle: Rolldown.OutputBundle,
  isFirst: (chunk: Rolldown.OutputChunk) => boolean,
): Rolldown.OutputChunk[] {
  const first = Object.values(bundle).find((file) => file.type === 'chunk' && isFirst(file))
  if (first?.type !== 'chunk') throw new Error('The build has no such file')
  return [...chunksOf(first, bundle)]
}
