import { AppError } from '#platform/app-error.ts'
import type { FileRepository } from './file.repository.ts'

/** In bytes. */
export interface SpaceLimits {
  /** Of one file. */
  fileMax: number
  /** Of all files of a project, and of all that a person has outside of projects. */
  quota: number
}

/** Whose space a file takes. */
export interface Place {
  projectId: string | null
  personId: string | null
}

/** What files of that place may still take. Until the transaction ends nobody else takes any of it. */
export async function spaceLeft(
  files: FileRepository,
  place: Place,
  { quota }: SpaceLimits,
): Promise<number> {
  await files.lockSpace(place)
  return quota - (await files.usedSpace(place))
}

export async function checkSpace(
  files: FileRepository,
  place: Place,
  size: number,
  limits: SpaceLimits,
): Promise<void> {
  if ((await spaceLeft(files, place, limits)) < size) throw noSpace(place)
}

export const noSpace = ({ projectId }: Place) =>
  new AppError(
    'PROJECT_FULL',
    projectId === null ? { message: 'Your files take all the space there is for them' } : {},
  )
