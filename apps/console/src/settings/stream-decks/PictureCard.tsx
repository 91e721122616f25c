import { limits, type StreamDecks } from '@pult/contract'
import { FileUpload } from '@pult/sdk/ui'
import { Button, Card, TextAreaField } from '@pult/ui'
import X from 'lucide-react/icons/x'
import { useId } from 'react'
import { changeDecks } from './deck-settings.ts'
import { MediaChoice } from './MediaChoice.tsx'
import styles from './PictureCard.module.css'
import { texts } from './stream-decks.texts.ts'

/** The decks' brightness, and the picture and text that cover all of them. */
export function PictureCard({ settings }: { settings: StreamDecks }) {
  return (
    <Card title={texts.picture}>
      <div className={styles.fields}>
        <Brightness value={settings.brightness} />
        <Wallpaper
          wallpaper={settings.wallpaper}
          isGone={settings.wallpaper !== null && settings.wallpaperSrc === null}
        />
        <TextAreaField
          label={texts.wallpaperText}
          rows={2}
          maxLength={limits.wallpaperTextMax}
          value={settings.wallpaperText}
          onChange={({ target }) => changeDecks({ wallpaperText: target.value })}
        />
      </div>
    </Card>
  )
}

/** With the extensions of those for which a system may know no type, or another one. */
const pictures = 'image/png,image/jpeg,image/webp,image/gif,image/avif,image/bmp,image/x-icon,.avif,.bmp,.ico'

interface WallpaperProps extends Pick<StreamDecks, 'wallpaper'> {
  /** The decks show no picture. The choice stays, because a deleted medium may come back. */
  isGone: boolean
}

/** An uploaded picture, or one from a project's media. */
function Wallpaper({ wallpaper, isGone }: WallpaperProps) {
  return (
    <div className={styles.wallpaper} role="group" aria-label={texts.wallpaper}>
      <span className={styles.label}>{texts.wallpaper}</span>
      {wallpaper !== null && (
        <div className={styles.present}>
          <span className={styles.name}>{isGone ? texts.pictureGone : nameOf(wallpaper)}</span>
          <Button
            variant="ghost"
            icon={<X aria-hidden="true" />}
            onClick={() => changeDecks({ wallpaper: null })}
          >
            {texts.removeWallpaper}
          </Button>
        </div>
      )}
      <FileUpload
        accept={pictures}
        onUploaded={({ filename }) => changeDecks({ wallpaper: { type: 'file', filename } })}
      />
      <MediaChoice onChoose={(medium) => changeDecks({ wallpaper: { type: 'medium', ...medium } })} />
    </div>
  )
}

const nameOf = (wallpaper: NonNullable<StreamDecks['wallpaper']>) =>
  wallpaper.type === 'file' ? wallpaper.name : texts.fromMedia

/** 0 to 1 in steps of 0.02, shown as percent. */
function Brightness({ value }: { value: number }) {
  const id = useId()
  const percent = `${Math.round(value * 100)} %`
  return (
    <div className={styles.brightness}>
      <label htmlFor={id} className={styles.label}>
        {texts.brightness}
      </label>
      <output htmlFor={id} className={styles.percent}>
        {percent}
      </output>
      <input
        type="range"
        id={id}
        className={styles.slider}
        min={0}
        max={1}
        step={0.02}
        value={value}
        aria-valuetext={percent}
        onChange={({ target }) => changeDecks({ brightness: Math.round(target.valueAsNumber * 50) / 50 })}
      />
    </div>
  )
}
