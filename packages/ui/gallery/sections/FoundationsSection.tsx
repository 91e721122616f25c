import type { CSSProperties } from 'react'
import { BrandMark, Wordmark } from '../../src/index.ts'
import styles from '../Gallery.module.css'
import { Group, Specimen } from '../Specimen.tsx'

const colors = [
  'canvas surface surface-raised surface-sunken hover pressed border border-strong',
  'text text-muted text-disabled accent accent-hover accent-text accent-soft focus',
  'danger danger-text danger-soft warning-text warning-soft success-text success-soft info-text info-soft',
].flatMap((line) => line.split(' '))

export function FoundationsSection() {
  return (
    <Group title="Foundations">
      <Specimen caption="BrandMark, Wordmark">
        {[16, 20, 24, 32, 48, 64].map((size) => (
          <BrandMark key={size} size={size} />
        ))}
        <BrandMark size={16} variant="plain" />
        <BrandMark size={32} variant="plain" />
        <BrandMark size={64} variant="plain" />
        <Wordmark size={32} />
      </Specimen>
      <Specimen caption="Type" column>
        <h1>Page title, 22</h1>
        <h2>Section, 16</h2>
        <h3>Heading, 14</h3>
        <p>
          Text, 14. The active project names these devices; 1.200 of 3.417 are online since{' '}
          <time>09:12:04</time>.
        </p>
      </Specimen>
      <Specimen caption="Colours" column>
        <div className={styles.swatches}>
          {colors.map((name) => (
            <span
              key={name}
              className={styles.swatch}
              style={{ '--swatch': `var(--color-${name})` } as CSSProperties}
            >
              {name}
            </span>
          ))}
        </div>
      </Specimen>
    </Group>
  )
}
