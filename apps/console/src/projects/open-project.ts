import type { Project } from '@pult/contract'
import { storage } from '#platform/storage.ts'

let isOpening = false

/** The page is being left for the home of another project. */
export const isOpeningProject = () => isOpening

/**
 * Makes a project the active one and goes home. The page starts anew, as other tabs do then: nothing that belongs to the
 * project of before, its apps above all, is left.
 */
export function openProject({ _id }: Project): void {
  isOpening = true
  storage.activeProjectId.write(_id)
  location.assign('/')
}
