import type { FormField } from '@pult/sdk/resource'
import { contrastRatio, contrastText, initialOf, ProjectChip, TextField } from '@pult/sdk/ui'
import type { CSSProperties } from 'react'
import { texts } from '../project-details.texts.ts'
import styles from './Settings.module.css'
import { isColor } from './settings-values.ts'

interface ColorFieldProps {
  field: FormField<string>
  /** The project's label, for the preview. */
  label: string
}

/** A colour by its hex digits or by the browser's picker, with a preview of the console. */
export function ColorField({ field, label }: ColorFieldProps) {
  const isFit = isColor(field.value)
  const color = isFit ? field.value.trim() : '#444'
  const colors = { '--project': color, '--on-project': contrastText(color) } as CSSProperties
  const contrast = contrastRatio(color, contrastText(color)) ?? 1
  return (
    <div className={styles.colors} style={colors}>
      <TextField
        label={texts.color}
        name={field.name}
        autoComplete="off"
        spellCheck={false}
        maxLength={7}
        value={field.value}
        error={isFit ? field.error : texts.notAColor}
        description={field.description || texts.colorText(contrast.toFixed(1))}
        onChange={({ target }) => field.set(target.value)}
        prefix={
          <input
            type="color"
            className={styles.picker}
            aria-label={texts.pickColor}
            value={sixDigits(color)}
            onChange={({ target }) => field.set(target.value)}
          />
        }
      />
      <figure className={styles.preview}>
        <figcaption className={styles.caption}>{texts.preview}</figcaption>
        <div className={styles.frame}>
          <ProjectChip label={label} color={color} />
          <span className={styles.tile} aria-hidden="true">
            {initialOf(label)}
          </span>
        </div>
      </figure>
    </div>
  )
}

/** The format of the browser's picker. */
const sixDigits = (color: string) => (color.length === 4 ? color.replace(/[0-9a-f]/gi, '$&$&') : color)
