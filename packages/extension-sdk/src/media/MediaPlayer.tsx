import type { MediaSource } from '@pult/contract'
import { useRef, useState } from 'react'
import { addressOf } from './file-link.ts'

export interface MediaPlayerProps {
  /** Source of a video or a sound. The component renders nothing for pictures. */
  source: MediaSource
  /** The accessible name. */
  label: string
  className?: string | undefined
}

/** The position at which playback continues with another link. */
interface Place {
  /** The file, which another one can replace. */
  address: string
  time: number
  rate: number
  isPlaying: boolean
}

/**
 * Renders a video or a sound with the browser's controls. Playback keeps its link as long as the link works. When the
 * link has expired, playback continues at the same position with the renewed one, and when the store's address behind
 * the link has expired, with another one.
 *
 * @example <MediaPlayer source={item.source} label={item.label} />
 */
export function MediaPlayer({ source: { type, formats }, label, className }: MediaPlayerProps) {
  const latest = formats[0]?.url ?? ''
  const [used, setUsed] = useState(latest)
  const [hasFailed, setFailed] = useState(false)
  const element = useRef<HTMLVideoElement & HTMLAudioElement>(null)
  const place = useRef<Place | null>(null)
  /** The position of the last failure: a file that is broken there fails again. */
  const failedAt = useRef<number | null>(null)
  const isOther = addressOf(latest) !== addressOf(used)
  if (isOther || (hasFailed && latest !== used)) {
    setUsed(latest)
    setFailed(false)
  }

  if (type === 'image') return null
  const Player = type
  return (
    // Uploaded media have no captions.
    <Player
      ref={element}
      className={className}
      src={used}
      controls
      preload="metadata"
      aria-label={label}
      onError={() => {
        const { current } = element
        // Playback that fails again before it has continued keeps its first position.
        if (current !== null && current.currentTime > 0) {
          const { currentTime: time, playbackRate: rate, paused } = current
          place.current = { address: addressOf(used), time, rate, isPlaying: !paused }
          if (latest === used && failedAt.current !== time) {
            failedAt.current = time
            // The address in a store to which the link led has expired. The link leads to another one.
            return current.load()
          }
        }
        setFailed(true)
      }}
      onLoadedMetadata={() => {
        const { current } = element
        if (current === null || place.current === null) return
        const { address, time, rate, isPlaying } = place.current
        place.current = null
        if (address !== addressOf(used)) return
        current.currentTime = time
        current.playbackRate = rate
        // Rejected only if the user pauses or leaves before it begins.
        if (isPlaying) current.play().catch(() => {})
      }}
    />
  )
}
