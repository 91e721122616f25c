import type { Project } from '@pult/contract'
import { overlay } from '#platform/overlay.ts'
import { openDocument, storage } from '#platform/storage.ts'
import { createStore } from '#platform/store.ts'
import { hasUnsavedInput } from '#platform/unsaved-input/unsaved-input.ts'

let isOpening = false

/** True while the page navigates to another project's home. */
export const isOpeningProject = () => isOpening

/**
 * Makes a project the active one and opens home. The page and other tabs reload, so that no state or app of the
 * previous project remains. The caller must have resolved unsaved input, because the browser's question could cancel
 * the navigation.
 */
export function openProject({ _id }: Pick<Project, '_id'>): void {
  isOpening = true
  storage.activeProjectId.write(_id)
  openDocument('/')
}

/** The project to open once the user agrees to lose unsaved input. */
export const pendingProject = createStore<Pick<Project, '_id'> | null>(null)

/** Opens a project that the user chose. Asks first if that would discard unsaved input (DEC-30). */
export function chooseProject(project: Pick<Project, '_id'>): void {
  if (hasUnsavedInput()) {
    pendingProject.set(project)
    overlay.set('project')
  } else openProject(project)
}
