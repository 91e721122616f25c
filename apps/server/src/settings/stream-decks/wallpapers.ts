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

/** A medium of a project whose media the caller sees; NOT_FOUND or FORBIDDEN for any other. */
export type FindMedium = (
  caller: Caller,
  place: MediumPlace,
) => Promise<Pick<MediaItem, 'source'> | undefined>

/** As the contract takes it; null for none. */
type NewWallpaper = Exclude<BodyOf<typeof streamDeckEndpoints.update>['wallpaper'], undefined>

interface WallpaperParts {
  files: Pick<Files, 'claim' | 'find' | 'link' | 'release'>
  findMedium: FindMedium
}

/** Milliseconds for which an address shows a wallpaper. */
const linkLifetime = 3_600_000

/** What every browser draws. */
const pictures = /^image\/(?:png|jpeg|webp|gif|avif)$/

/** Wide enough for the largest deck. */
const enough = 1024

/** What lies over decks: a picture of one's own, which goes when another takes its place, or one of a project's media. */
export function createWallpapers({ files, findMedium }: WallpaperParts) {
  async function mediumSource(caller: Caller, { medium, project }: { medium: string; project: string }) {
    const found = await findMedium(caller, { projectId: project, mediumId: medium })
    if (found === undefined) throw new AppError('NOT_FOUND')
    if (found.source.type !== 'image') throw new AppError('NOT_MEDIA')
    return found.source
  }

  return {
    /** Throws NOT_FOUND, FORBIDDEN, and NOT_MEDIA for what is no picture. */
    checkMedium: async (caller: Caller, place: { medium: string; project: string }): Promise<void> =>
      void (await mediumSource(caller, place)),

    /** The wallpaper that takes the place of another; whoever brought it has been checked. */
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

    /** Where a wallpaper is shown; null without one, and while its project or medium is not there for the caller. */
    async linkTo(caller: Caller, wallpaper: DeckWallpaper | null): Promise<string | null> {
      if (wallpaper === null) return null
      if (wallpaper.type === 'file') {
        const file = await files.find(wallpaper.file)
        return file === undefined ? null : files.link(file, { lifetime: linkLifetime, inline: true })
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
