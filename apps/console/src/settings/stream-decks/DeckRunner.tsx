import { useEffect, useRef } from 'react'
import { driveDecks, refreshDecks } from './attached-decks.ts'
import { slotOf } from './deck-change.ts'
import { deckSettings, useDeckSettings } from './deck-settings.ts'
import { useShownKeys } from './shown-keys.ts'
import { useDeckFont } from './use-deck-font.ts'
import { usePressKey } from './use-press-key.ts'
import { useWallpaperImage } from './wallpaper-image.ts'

/** Draws the settings on attached decks and runs their keys' actions, on every page. */
export function DeckRunner() {
  const { settings } = useDeckSettings()
  const image = useWallpaperImage(settings?.wallpaperSrc ?? null)
  const keysOf = useShownKeys(settings)
  const hasFont = useDeckFont()
  const press = usePressKey()

  const latest = useRef({ settings, image, keysOf, hasFont, press })
  useEffect(() => {
    latest.current = { settings, image, keysOf, hasFont, press }
    refreshDecks()
  }, [settings, image, keysOf, hasFont, press])

  useEffect(
    () =>
      driveDecks({
        contentOf({ serial }) {
          const { settings: now, image: picture, keysOf: keys, hasFont: isReady } = latest.current
          if (now === null || !isReady) return null
          return {
            brightness: now.brightness,
            wallpaper: { image: picture, text: now.wallpaperText },
            keys: keys(serial === null ? null : slotOf(now, serial)),
          }
        },
        onKey({ serial }, index) {
          const now = deckSettings.get().settings
          const slot = now && serial && slotOf(now, serial)
          if (typeof slot === 'number') void latest.current.press(slot, index)
        },
      }),
    [],
  )
  return null
}
