import type { Build } from '@pult/contract'

/** The build of this page, from `<meta name="pult-build">`. */
export const build: Build = readBuild()

function readBuild(): Build {
  const content = document.querySelector<HTMLMetaElement>('meta[name="pult-build"]')?.content ?? ''
  const [version = '', timestamp = '', commit = ''] = content.split(' ')
  return { version, timestamp, commit }
}
