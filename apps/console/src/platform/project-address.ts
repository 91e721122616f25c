import { storage } from './storage.ts'

/** The project in the URL of this tab. */
export const projectOfAddress = (): string | null => new URLSearchParams(location.search).get('project')

/** The project in the URL when the document was loaded. */
export const projectOfDocument = projectOfAddress()

/** The project that a start tries first: the URL takes precedence over the stored id. */
export const projectOfStart = (): string | null => projectOfAddress() ?? storage.activeProjectId.read()

/** Adds the project to a URL that names none. */
export function withProject(href: string, projectId: string): string {
  const [, path = '', search = '', hash = ''] = /^([^?#]*)(\?[^#]*)?(#.*)?$/.exec(href) ?? []
  if (new URLSearchParams(search).has('project')) return href
  return `${path}${search === '' ? '?' : `${search}&`}project=${encodeURIComponent(projectId)}${hash}`
}

/** The search part of a URL without the project. */
export function withoutProject(search: string): string {
  const others = new URLSearchParams(search)
  others.delete('project')
  return others.size > 0 ? `?${others}` : ''
}
