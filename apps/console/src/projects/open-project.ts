import type { Project } from '@pult/contract'
import { overlay } from '#platform/overlay.ts'
import { storage } from '#platform/storage.ts'
import { createStore } from '#platform/store.ts'
import { hasUnsavedInput } from '#platform/unsaved-input/unsaved-input.ts'

let isOpening = false

/** True while the page is being left for another project's home. */
export const isOpeningProject = () => isOpening

/**
 * Makes a project the active one and opens home. The page and other tabs reload, so that no state or app of the
 * previous project remains. No unsaved input may be left, because the browser's question could cancel it halfway.
 */
export function openProject({ _id }: Pick<Project, '_id'>): void {
  isOpening = true
  storage.activeProjectId.write(_id)
  location.assign('/')
}

/** The project that opens when the user agrees to lose unsaved input. */
export const wantedProject = createStore<Pick<Project, '_id'> | null>(null)

/** Opens a project that the user chose. Asks first if that would discard unsaved input (DEC-30). */
export function chooseProject(project: Pick<Project, '_id'>): void {
  if (hasUnsavedInput()) {
    wantedProject.set(project)
    overlay.set('project')
  } else openProject(project)
}
