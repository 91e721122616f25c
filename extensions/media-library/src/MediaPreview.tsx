import type { MediaItem } from '@pult/sdk/api'
import { MediaImage } from '@pult/sdk/ui'
import Film from 'lucide-react/icons/film'
import ImageIcon from 'lucide-react/icons/image'
import ImageOff from 'lucide-react/icons/image-off'
import LoaderCircle from 'lucide-react/icons/loader-circle'
import Music from 'lucide-react/icons/music'
import styles from './library.module.css'
import { texts } from './media.texts.ts'

/** Bytes. A larger original is too expensive for a thumbnail. */
const smallOriginal = 500_000
/** Bytes. The original stands for the formats of a picture that cannot be converted. */
const shownOriginal = 4 * 1024 * 1024

/** A thumbnail. Its accessible name is the label beside it. */
export function MediaPreview({ item: { source, state }, sizes }: { item: MediaItem; sizes: string }) {
  const [original, ...made] = source.formats
  const most = { processing: -1, failed: smallOriginal, ready: shownOriginal }[state]
  const isShown = source.type === 'image' && (made.length > 0 || (original?.size ?? 0) <= most)
  if (isShown) return <MediaImage source={source} alt="" sizes={sizes} className={styles.picture} />
  const title =
    state === 'processing' ? texts.processing : state === 'failed' ? texts.failed : texts.types[source.type]
  return (
    <span className={styles.stand} data-state={state} title={title}>
      <Sign type={source.type} state={state} />
    </span>
  )
}

function Sign({ type, state }: { type: MediaItem['source']['type']; state: MediaItem['state'] }) {
  if (state === 'processing') return <LoaderCircle aria-hidden="true" />
  if (state === 'failed') return <ImageOff aria-hidden="true" />
  if (type === 'video') return <Film aria-hidden="true" />
  return type === 'audio' ? <Music aria-hidden="true" /> : <ImageIcon aria-hidden="true" />
}
