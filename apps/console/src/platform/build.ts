import type { Build } from '@pult/contract'

/** Which build this page is: the document says it in `<meta name="pult-build">`. */
export const build: Build = readBuild()

function readBuild(): Build {
  const content = document.querySelector<HTMLMetaElement>('meta[name="pult-build"]')?.content ?? ''
  const [version = '', timestamp = '', commit = ''] = content.split(' ')
  return { version, timestamp, commit }
}
