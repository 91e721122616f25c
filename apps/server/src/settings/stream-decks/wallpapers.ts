import type { BodyOf, DeckWallpaper, MediaItem, streamDeckEndpoints } from '@pult/contract'
import type { Transaction } from 'kysely'
import { AppError } from '#platform/app-error.ts'
import type { Database } from '#platform/database/schema.ts'
import type { Caller } from '#platform/http/route.ts'
import type { Files } from '../../files/file-store.ts'

export interface MediumPlace {
  projectId: string
  mediumId: string
}

/** Returns a medium of a project whose media the caller may read. Throws NOT_FOUND or FORBIDDEN otherwise. */
export type FindMedium = (
  caller: Caller,
  place: MediumPlace,
) => Promise<Pick<MediaItem, 'source'> | undefined>

/** The wallpaper of the contract's body; null removes it. */
type NewWallpaper = Exclude<BodyOf<typeof streamDeckEndpoints.update>['wallpaper'], undefined>

interface WallpaperParts {
  files: Pick<Files, 'claim' | 'find' | 'link' | 'release'>
  findMedium: FindMedium
}

/** Lifetime of a wallpaper link in milliseconds. */
const linkLifetime = 3_600_000

/** Picture types that all browsers support. */
const pictures = /^image\/(?:png|jpeg|webp|gif|avif|bmp|x-icon)$/

/** Sufficient width for the largest deck, in pixels. */
const enough = 1024

/** Wallpapers of decks: a picture of the user, which is deleted when it is replaced, or a medium of a project. */
export function createWallpapers({ files, findMedium }: WallpaperParts) {
  async function mediumSource(caller: Caller, { medium, project }: { medium: string; project: string }) {
    const found = await findMedium(caller, { projectId: project, mediumId: medium })
    if (found === undefined) throw new AppError('NOT_FOUND')
    if (found.source.type !== 'image') throw new AppError('NOT_MEDIA')
    return found.source
  }

  return {
    /** Throws NOT_FOUND, FORBIDDEN, and NOT_MEDIA for files that are not pictures. */
    checkMedium: async (caller: Caller, place: { medium: string; project: string }): Promise<void> =>
      void (await mediumSource(caller, place)),

    /** Replaces the wallpaper; the caller's permission has been checked. */
    async replace(
      trx: Transaction<Database>,
      { personId }: Caller,
      { before, by }: { before: DeckWallpaper | null; by: NewWallpaper },
    ): Promise<DeckWallpaper | null> {
      if (before?.type === 'file') await files.release(trx, [before.file])
      if (by === null || by.type === 'medium') return by
      const { id, name, contentType } = await files.claim(trx, {
        filename: by.filename,
        projectId: null,
        personId,
      })
      if (!pictures.test(contentType)) throw new AppError('NOT_MEDIA')
      return { type: 'file', file: id, name }
    },

    /** Returns the URL of a wallpaper; null without one, or if the caller may not see its project or medium. */
    async linkTo(caller: Caller, wallpaper: DeckWallpaper | null): Promise<string | null> {
      if (wallpaper === null) return null
      if (wallpaper.type === 'file') {
        const file = await files.find(wallpaper.file)
        return file === undefined ? null : files.link(caller, file, { lifetime: linkLifetime, inline: true })
      }
      try {
        const { formats } = await mediumSource(caller, wallpaper)
        const byWidth = formats.toSorted((a, b) => (a.meta.width ?? 0) - (b.meta.width ?? 0))
        const fitting = byWidth.find(({ meta }) => (meta.width ?? 0) >= enough) ?? byWidth.at(-1)
        return fitting?.url ?? null
      } catch (error) {
        if (error instanceof AppError) return null
        throw error
      }
    },
  }
}
export type Wallpapers = ReturnType<typeof createWallpapers>
