import type { MediaItem } from '@pult/sdk/api'
import { StateChip } from '@pult/sdk/ui'
import { texts } from './media.texts.ts'

/** Returns the texts of the notes about a picture. A later release may send notes that have none. */
export const notesOf = ({ notes }: MediaItem) => notes.flatMap((note) => texts.notes[note] ?? [])

/** A short sign for each note about a picture. */
export function NoteSigns({ item, className }: { item: MediaItem; className?: string | undefined }) {
  const notes = notesOf(item)
  if (notes.length === 0) return null
  return (
    <span className={className}>
      {notes.map(({ sign }) => (
        <StateChip key={sign} status="warning">
          {sign}
        </StateChip>
      ))}
    </span>
  )
}
